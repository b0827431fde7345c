/** Common words that do not describe a topic. */
const COMMON = new Set(
  (
    'the and for are but not you all can her was one our out has have had his how its let may who did get set use that ' +
    'this with from they will what when your which their there been were would could should does into then than them ' +
    'some also just like make made need want please look see show tell file files read code line lines here now any ' +
    'each very more most about after before because only other over such where why yes still first sure okay thanks ' +
    'am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we ll re ve'
  ).split(' '),
)

/**
 * Returns the words of a text, in lower case and without their endings: names whole and in parts (`camelCase`,
 * `snake_case`), of at least two letters, or a letter and a digit.
 *
 * The words of the index (`src/index/terms.rs`) are not used: they are hashes in a wasm file that a view would have to
 * load, and keep their endings, while a question uses a file's words in other forms.
 */
export function wordsOf(text: string): string[] {
  return namesIn(text).flatMap((name) => {
    const parts = name
      .replace(/(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
      .split(/[ _$]+/)
      .filter(Boolean)
    return stems(parts.length > 1 ? [name, ...parts] : [name])
  })
}

/** Returns the names of a text as {@link wordsOf} does, but only whole. */
export function wholeNames(text: string): string[] {
  return stems(namesIn(text))
}

/** A name of two characters: `db`, `v7`; but no number, which a part of a name may be. */
const SHORT = /^\p{L}[\p{L}\p{N}]$/u

const namesIn = (text: string) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []

function stems(words: readonly string[]): string[] {
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => (word.length > 2 || SHORT.test(word)) && !COMMON.has(word))
    .map(stem)
}

/** Removes the ending of a word: `errors`, `handled` and `handling` match `error` and `handle`. */
function stem(word: string): string {
  return word.replace(/(?<=.{3})(?:ing|ed|er|es|[^s]s|e)$/u, (end) =>
    /^[^s]s$/.test(end) ? (end[0] as string) : '',
  )
}
