// Tests of C++ files, by their text: `TEST(Parser, Reads) {` of googletest, `TEST_CASE("reads") {` of Catch2 and
// doctest. No parser knows them without their headers.
const NAMED = /^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?[ \t]*\(\s*\w+\s*,\s*(\w+)\s*\)\s*\{/gm
const WITH_TEXT =
  /^[ \t]*(?:\w*TEST_CASE\w*|TEST_SUITE|SCENARIO|(?:DYNAMIC_)?SECTION|SUBCASE)[ \t]*\((?:\s*\w+\s*,)?\s*"((?:[^"\\\n]|\\.)*)"[^;{}]*\)\s*\{/gm

/** The text with blanks in place of comments, and of texts and characters too if `all`. */
const blanked = (content, all) =>
  content.replace(/\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'/g, (part) =>
    all || part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part,
  )

function endOf(code, open) {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth === 0) return at
  }
  return code.length
}

const lineOf = (content, offset) => content.slice(0, offset).split('\n').length

/** Returns the tests of a file with their lines. */
export function macroTests(content) {
  const text = blanked(content, false)
  const code = blanked(content, true)
  return [NAMED, WITH_TEXT]
    .flatMap((word) => [...text.matchAll(word)])
    .filter(({ index, 0: whole }) => code.slice(index, index + whole.length).includes('('))
    .map(({ index, 0: whole, 1: name }) => ({
      name,
      line: lineOf(content, index + whole.search(/\S/)),
      endLine: lineOf(content, endOf(code, index + whole.length - 1)),
    }))
}
