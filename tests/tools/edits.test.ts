// An agent's edits of an existing file, one after another, compared with a byte model.
import { isUtf8 } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { afterAll, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { scratchFolder } from '../workspace/folder.js'

const pieces = ['a', 'b', 'aa', ' ', '\n', '\r\n', '\r', 'é', '😀', '\ufeff', '$&', "$'", '\\n', 'line\n']
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''))
/** Contents that may have invalid UTF-8, and rarely a NUL. */
const content = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: text(8).map(Buffer.from) },
      { weight: 40, arbitrary: fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3, 0x80])) },
      { weight: 1, arbitrary: fc.constant(Buffer.from([0])) },
    ),
  )
  .map(Buffer.concat)
const edit = fc.oneof(
  fc.record({
    name: fc.constant('edit_file'),
    // A position in the current file, whose text is used, or any text.
    old: fc.oneof(text(3), fc.nat({ max: 60 })),
    new_string: text(4),
    replace_all: fc.boolean(),
  }),
  fc.record({ name: fc.constantFrom('append_to_file', 'prepend_to_file'), content: text(3) }),
)

/** Every position of `part` in `whole`, including overlapping ones. */
function places(whole: Buffer, part: Buffer): number[] {
  const found: number[] = []
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + 1)) found.push(at)
  return found
}

/** The bytes after an edit; `undefined` if it must be refused. */
function replaced(before: Buffer, old: Buffer, text: Buffer, all: boolean): Buffer | undefined {
  const found = old.length === 0 ? [] : places(before, old)
  if (found.length === 0 || old.equals(text) || (!all && found.length > 1)) return undefined
  const parts: Buffer[] = []
  let done = 0
  for (const at of found) {
    if (at < done) continue
    parts.push(before.subarray(done, at), text)
    done = at + old.length
  }
  return Buffer.concat([...parts, before.subarray(done)])
}

const BOM = Buffer.from('\ufeff')
const prepended = (before: Buffer, text: Buffer) => {
  const isMarked = (bytes: Buffer) => bytes.subarray(0, 3).equals(BOM)
  const start = isMarked(before) ? 3 : 0
  const put = isMarked(before) && isMarked(text) ? text.subarray(3) : text
  return Buffer.concat([before.subarray(0, start), put, before.subarray(start)])
}

/** A text of up to two whole characters from the file. */
function pieceOf(bytes: Buffer, at: number): string {
  const characters = Array.from(bytes.toString('utf8')).filter((character) => character !== '\ufffd')
  const from = at % (characters.length + 1)
  return characters.slice(from, from + 2).join('')
}

const counts = { made: 0, refused: 0 }
afterAll(() => console.log(`edits by tools: ${counts.made} made, ${counts.refused} refused`))

test.each(['memory', 'disk'] as const)(
  'on %s an edit changes exactly the named text or nothing',
  async (place) => {
    const disk = scratchFolder()
    const file = join(disk, 'f')
    const few = place === 'disk' ? Math.min(runs.numRuns / 10, 200) : runs.numRuns
    await fc.assert(
      fc.asyncProperty(content, fc.array(edit, { minLength: 10, maxLength: 10 }), async (start, edits) => {
        writeFileSync(file, start)
        const workspace =
          place === 'disk'
            ? createWorkspace({ fs, root: disk })
            : createWorkspace({ memory: { f: new Uint8Array(start) } })
        const tools = createTools(workspace)
        const now = async () =>
          place === 'disk' ? readFileSync(file) : Buffer.from((await workspace.readFile('f')).bytes)
        let before: Buffer = start
        for (const { name, ...args } of edits) {
          let after: Buffer | undefined
          let call: object = { path: 'f', ...args }
          if ('old' in args) {
            const old_string = typeof args.old === 'number' ? pieceOf(before, args.old) : args.old
            call = { path: 'f', old_string, new_string: args.new_string, replace_all: args.replace_all }
            const [old, text] = [Buffer.from(old_string), Buffer.from(args.new_string)]
            after = replaced(before, old, text, args.replace_all)
          } else {
            const added = Buffer.from(args.content)
            after = name === 'append_to_file' ? Buffer.concat([before, added]) : prepended(before, added)
          }
          // In an unknown encoding, only ASCII is safe to write.
          const put = 'old' in args ? args.new_string : args.content
          if (!isUtf8(before) && /[^\0-\x7f]/.test(put)) after = undefined
          // Reads call the file binary. (Here it is shorter than the beginning that they examine.)
          if (before.includes(0)) after = undefined
          const { content, isError } = await runToolCall(tools, { name, arguments: JSON.stringify(call) })
          expect(isError, content).toBe(after === undefined)
          expect((await now()).equals(after ?? before)).toBe(true)
          counts[after === undefined ? 'refused' : 'made']++
          before = after ?? before
        }
      }),
      { numRuns: Math.max(1, Math.floor(few)) },
    )
  },
)

test('edits of one step are all made, however many there are', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i}.`)
  const workspace = createWorkspace({ memory: { 'a.txt': words.join('\n') } })
  const tools = createTools(workspace)
  const edit = (word: string) =>
    runToolCall(tools, {
      name: 'edit_file',
      arguments: JSON.stringify({ path: 'a.txt', old_string: word, new_string: `${word}!` }),
    })
  const results = await Promise.all(words.map(edit))
  expect(results.filter(({ isError }) => isError)).toEqual([])
  const { bytes } = await workspace.readFile('a.txt')
  expect(new TextDecoder().decode(bytes)).toBe(words.map((word) => `${word}!`).join('\n'))
})
