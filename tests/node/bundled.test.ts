// Each entry point bundled alone: what brings the bytes of a wasm file must not be taken for dead code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const exported = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).exports as Record<
  string,
  { default: string }
>

const messages = JSON.stringify([
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'done' },
])
const call = JSON.stringify({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
})

/** A use of each entry that needs a wasm file, and what it comes to. */
const USES: [entry: string, imported: string, use: string, outcome: unknown][] = [
  ['.', 'project', `project(${messages}, {}).report.steps`, 1],
  ['./money', 'simulate', `simulate(${messages}, { off: {} }).requests`, 1],
  ['./tokens', 'estimateMessages', `estimateMessages(${messages}).length`, 2],
  ['.', 'validate', `validate(${messages})`, []],
  ['./recipes', 'clearToolUses', `clearToolUses(${messages}).length`, 2],
  ['./files', 'formatRead', `formatRead({ path: 'a', content: 'x' }).totalLines`, 1],
  ['./formats', 'convertMessages', `convertMessages(${messages}, 'gemini').messages.length`, 2],
  ['./timeline', 'fileEdits', `fileEdits(${messages})`, []],
  ['./compaction', 'shouldCompact', `shouldCompact(${messages}, { threshold: 1 })`, true],
  ['./tools', 'openToolCalls', `openToolCalls([${call}]).length`, 1],
  ['./index', 'createIndex', `createIndex().query('x')`, []],
]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(USES)('%s works when it is all that is bundled', async (entry, imported, use, outcome) => {
  const { build } = await import('vite')
  const file = join(ROOT, exported[entry]?.default ?? '')
  const input = join(folder, 'input.js')
  writeFileSync(input, `import { ${imported} } from ${JSON.stringify(file)}\nexport const outcome = ${use}\n`)
  const outDir = join(folder, imported)
  await build({
    root: folder,
    logLevel: 'silent',
    configFile: false,
    build: { outDir, minify: false, lib: { entry: input, formats: ['es'], fileName: () => 'bundle.mjs' } },
  })
  const bundle = await import(pathToFileURL(join(outDir, 'bundle.mjs')).href)
  expect(bundle.outcome).toEqual(outcome)
})
