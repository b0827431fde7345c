// Encodes bytes as text in a source file; js/src/engine/module.ts decodes it (`fromByteText`). Each byte is always the
// same one or two characters, so repetitions in a wasm file are repetitions in the text, and servers compress it almost
// as well. Base64 shifts bytes by bits, which hides repetitions: the core was 147 KB with brotli, and is 120 KB.

/** Printable characters that no minifier must escape, whatever quotes it uses. */
const plain = Array.from({ length: 127 - 32 }, (_, i) => String.fromCharCode(32 + i)).filter(
  (character) => !'"$\'<\\`'.includes(character),
)
/** The last two start a pair. */
const alone = plain.length - 2
/** Number of bytes whose pairs have the same first character. */
const half = Math.ceil((256 - alone) / 2)

function textOf(byte) {
  if (byte < alone) return plain[byte]
  const rest = byte - alone
  return rest < half ? plain[alone] + plain[rest] : plain[alone + 1] + plain[rest - half]
}

/** @param {Uint8Array} bytes */
export const toByteText = (bytes) => Array.from(bytes, textOf).join('')
