// Bytes as text of a source file, which js/src/engine/module.ts reads back (`fromByteText`). One byte is one character or two, always the
// same: so what repeats in a wasm file repeats in the text, and servers compress it nearly as well. Base64 shifts bytes by bits, which hides it:
// the core was 147 KB of brotli, and is 120.

/** Printable characters that no minifier has to escape, whatever quotes it chooses. */
const plain = Array.from({ length: 127 - 32 }, (_, i) => String.fromCharCode(32 + i)).filter(
  (character) => !'"$\'<\\`'.includes(character),
)
/** The last two begin a pair. */
const alone = plain.length - 2
/** How many bytes are pairs with the same beginning. */
const half = Math.ceil((256 - alone) / 2)

function textOf(byte) {
  if (byte < alone) return plain[byte]
  const rest = byte - alone
  return rest < half ? plain[alone] + plain[rest] : plain[alone + 1] + plain[rest - half]
}

/** @param {Uint8Array} bytes */
export const toByteText = (bytes) => Array.from(bytes, textOf).join('')
