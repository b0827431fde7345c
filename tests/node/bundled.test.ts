// Each entry point bundled alone: tree shaking must not remove the code that loads a wasm file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USES } from './entry-uses.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const exported = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).exports as Record<
  string,
  { default: string }
>

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundled-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(USES)('%s works in a bundle that imports nothing else', async (entry, imported, use, outcome) => {
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
