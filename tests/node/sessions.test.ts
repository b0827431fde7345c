import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Policy, project, rollingContext } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { problems } from './oracle.js'

const ROOT = new URL('../..', import.meta.url)
const DATA = new URL('../shared/data/', ROOT)

/** Real sessions if they are available, and the sample of the package. */
const files = [
  new URL('examples/session.jsonl', ROOT),
  ...(existsSync(DATA) ? readdirSync(DATA).filter((name) => !name.endsWith('.md')) : []).map(
    (name) => new URL(name, DATA),
  ),
]
if (!existsSync(DATA)) console.log('real sessions: skipped, ../shared/data is not there')

const policies: [string, Policy][] = [
  ['rolling context', rollingContext()],
  [
    'rolling context with summaries and pointers',
    { ...rollingContext({ summarizeOnTruncate: true }), dedupe: true },
  ],
  [
    'everything at once',
    { ephemeral: true, age: { maxToolOutputAge: 0, preserveRecentFiles: false }, dedupe: true },
  ],
]

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(deepFreeze)
}

describe.each(files.map((file) => [file.pathname.split('/').at(-1) as string, file] as const))(
  '%s',
  (_, file) => {
    const { messages, format } = readTranscript(readFileSync(file, 'utf8'))
    deepFreeze(messages)

    test.each(policies)('%s: every view of every prefix keeps the laws', (_, policy) => {
      let edits = 0
      for (let length = 1; length <= messages.length; length++) {
        const prefix = messages.slice(0, length)
        const { messages: view, report } = project(prefix, policy)
        // Projecting a whole view again takes long, so only every seventh is checked.
        const again = length % 7 === 0 ? project(view, policy).messages : view
        const edited = new Set(report.edits.map((edit) => edit.message))
        edits += edited.size
        // Law 1: no problems other than those of the history itself, such as unanswered calls.
        expect(problems(view, format)).toEqual(problems(prefix, format))
        expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
        for (let i = 0; i < length; i++) {
          if (!edited.has(i) && view[i] !== prefix[i])
            throw new Error(`prefix ${length}: message ${i} is another object`)
          if (again[i] !== view[i]) expect(again[i]).toEqual(view[i])
        }
      }
      expect(edits).toBeGreaterThan(0)
    })

    test('projecting a view again after a JSON round trip changes nothing', () => {
      const policy: Policy = { ...rollingContext(), dedupe: true }
      const view = JSON.parse(JSON.stringify(project(messages, policy).messages)) as object[]
      expect(project(view, policy).messages).toEqual(view)
    })
  },
)
