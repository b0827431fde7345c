// Writes docs/reference/errors.md from the comments of the codes in js/src/base/error.ts and of the engine's.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { at } from '../project.mjs'

const SOURCE = 'js/src/base/error.ts'
/** The codes of the engine's errors. */
const ENGINE = 'js/src/generated/protocol.ts'

/** The codes of a union with their comments; a name among them is a union of the engine. */
function codes(path, name) {
  const text = readFileSync(at(path), 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  const union = file.statements.find(
    (each) => ts.isTypeAliasDeclaration(each) && each.name.text === name,
  ).type
  return union.types.flatMap((type) => {
    if (ts.isTypeReferenceNode(type)) return codes(ENGINE, type.typeName.text)
    // The comment is before the bar, which belongs to the previous type.
    const before = text.slice(0, type.getStart())
    const comment = /\/\*\*([^*]*)\*\/\s*\|\s*$/.exec(before)?.[1]
    return [{ code: type.literal.text, comment: comment?.replace(/\s+/g, ' ').trim() ?? '' }]
  })
}

/** @returns {Map<string, string>} path to content */
export function errorReference() {
  const all = codes(SOURCE, 'TrimtabErrorCode')
  const list = all.map(({ code, comment }) => `- **\`${code}\`**: ${comment}`)
  const missing = all.filter(({ comment }) => comment === '')
  if (missing.length > 0)
    throw new Error(`${SOURCE} says nothing of ${missing.map(({ code }) => code).join(', ')}`)
  const text = `<!-- Written by \`npm run docs\` from ${SOURCE}. -->

# Errors

Every error that this package throws is a \`TrimtabError\`. \`code\` is for programs, \`message\` says what is wrong and what to do.
\`index\` is the position of the message, \`argument\` the name of the argument or option, \`line\` the line of a file, \`cause\` the
underlying error. A mistake of a *model* is not an error: edits, reads and tools return a message for the model, with \`isError: true\`.

${list.join('\n')}
`
  return new Map([['docs/reference/errors.md', text]])
}
