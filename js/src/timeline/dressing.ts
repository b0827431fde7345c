// What tools put around or before a file's own lines. Where it is of no form that is parsed, the lines are not known:
// taken as they are, they would be wrong.

/** Lines at the beginning that are looked at: tools write at most a few before the first one of the file. */
const HEAD_LINES = 8

/** Elements that tools put around a content. */
const WRAPPER =
  /^\s*<(?:files?|file[_-]?contents?|contents?|path|documents?|document_contents?|outputs?|results?|tool_\w+)\b[^>]*>/i

/** A notice of a tool about the lines that follow. */
const NOTICE = /^\s*\[[^{}"]{0,200}\blines?\b[^{}"]{0,200}\]\s*$/i

const FENCE = /^(?:```|~~~)/

/** A number before a line in any form: `12:`, `L12:`, `Line 12:`, `12|`, `12#AB:`. */
const NUMBER = /^\s*(?:L|Line )?(\d{1,9})(?:#\w{1,4})? ?[:|→\t]/

/** Signs that begin a comment: sources often begin with their own name. */
const COMMENT = /^(?:\/\/|\/\*|#|;|%|<!--|--(?!-))/

/** Characters of a header beside the path: a longer line is one of a file. */
const LONGEST_HEADER = 200

/** Files that consist of what tools put around others. */
const JSON_FILE = /json|\.(?:ipynb|webmanifest|map|lock|har)$|rc$/i
const MARKDOWN_FILE = /\.(?:md|mdx|markdown|qmd|rmd)$/i

/** Whether a result may hold more than the file's own text. */
export function isDressed(text: string, path: string): boolean {
  const head = text.split('\n', HEAD_LINES)
  const first = head.find((line) => line.trim() !== '') ?? ''
  return (
    WRAPPER.test(first) ||
    NOTICE.test(first) ||
    isHeaderOf(path, first.trim()) ||
    isFenced(text, head, path) ||
    isNumbered(head) ||
    isObject(text, path)
  )
}

/** Whether a line is a header that names the file: `a.ts:`, `--- /src/a.ts ---`, `File: a.ts`. */
function isHeaderOf(path: string, line: string): boolean {
  if (line.length > path.length + LONGEST_HEADER || COMMENT.test(line)) return false
  const at = line.indexOf(path)
  if (at === -1) return false
  // Before it only a word for it, the path of its folder, and signs.
  const before = line.slice(0, at).replace(/\S*\/$/, '')
  const rest = before.replace(/\b(?:contents? of|file|path)\b/i, '') + line.slice(at + path.length)
  return !/[\p{L}\p{N}]/u.test(rest)
}

function isFenced(text: string, head: readonly string[], path: string): boolean {
  const fence = head.slice(0, 3).find((line) => FENCE.test(line))
  const last = text.slice(-20).trimEnd()
  return fence !== undefined && last.endsWith(`\n${fence.slice(0, 3)}`) && !MARKDOWN_FILE.test(path)
}

/** Whether two lines have successive numbers, or the only line the first one. */
function isNumbered(head: readonly string[]): boolean {
  const numbers = head.map((line) => Number(NUMBER.exec(line)?.[1] ?? Number.NaN))
  const lines = head.filter((line) => line.trim() !== '')
  if (lines.length === 1) return numbers.some((number) => number === 0 || number === 1)
  return numbers.some((number, at) => numbers[at + 1] === number + 1)
}

/** Whether a result is an object with the content in a field. */
function isObject(text: string, path: string): boolean {
  if (JSON_FILE.test(path) || !/^\s*\{\s*"/.test(text) || !text.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
