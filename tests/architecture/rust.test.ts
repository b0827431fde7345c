import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'
import { circles, type Graph, grouped, longestChain } from './graph.js'
import { rustGraph } from './rust-graph.js'

/** Allowed imports of each room of the engine (docs/explain/architecture.md). */
const allowed: Record<string, string[]> = {
  text: [],
  bytes: [],
  output: ['text'],
  tokens: [],
  message: ['text', 'tokens'],
  formats: ['text', 'output', 'message'],
  projection: ['text', 'tokens', 'output', 'message'],
  session: ['message', 'formats', 'projection'],
  reading: ['text', 'bytes', 'tokens', 'message'],
  editing: ['text', 'bytes'],
  index: ['text'],
  wasm: [
    'text',
    'bytes',
    'tokens',
    'message',
    'formats',
    'projection',
    'session',
    'reading',
    'editing',
    'index',
  ],
}

const SRC = at('src')
const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.rs') && !file.includes('node_modules'),
  )
const files = sources(SRC)
/** Returns a file's code without comments. */
const code = (file: string) => readFileSync(join(SRC, file), 'utf8').replace(/\/\/.*$/gm, '')

const engine = rustGraph(SRC)
const crates: [string, Graph][] = [
  ['src', engine],
  ['encodings/src', rustGraph(at('encodings', 'src'))],
  ['outline/src', rustGraph(at('outline', 'src'))],
]

test('the import graph of the engine resolves facades, macros and module files', () => {
  const arrows = (file: string) => [...(engine.get(file) ?? [])]
  // An item of a facade resolves to the file that declares it, also through a list of all items of a folder.
  expect(arrows('projection/passes/clear.rs')).toContain('projection/view/pass_view.rs')
  expect(arrows('projection/passes/clear.rs')).toContain('message/history.rs')
  expect(arrows('wasm/description.rs')).toContain('projection/passes/age.rs')
  expect(arrows('wasm/description.rs')).not.toContain('projection/passes/clip.rs')
  // Declarations in macros: modules by file name, and every pass.
  expect(arrows('formats/registry.rs')).toContain('formats/gemini/mod.rs')
  expect(arrows('projection/policy.rs')).toContain('projection/passes/clip.rs')
  // A facade only re-exports, and imports nothing for that.
  expect(arrows('projection/mod.rs')).toEqual([])
  // A facade with its own code has imports like any file.
  expect(arrows('formats/repair/mod.rs')).toContain('formats/repair/check.rs')
  // Few files have no imports: entry points, and files that need nothing.
  const alone = [...engine].filter(([file, imported]) => !/(mod|lib)\.rs$/.test(file) && imported.size === 0)
  expect(alone.length).toBeLessThan(engine.size / 5)
})

test('a circular import is detected', () => {
  const broken = new Map(engine)
  broken.set('text/digest.rs', new Set(['projection/engine.rs']))
  expect(circles(broken)).not.toEqual([])
})

test('importing an item through a facade with code of its own counts as importing the facade', () => {
  const folder = mkdtempSync(join(tmpdir(), 'graph-'))
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  mkdirSync(join(folder, 'repair'))
  write('lib.rs', 'mod registry;\nmod repair;\n')
  write('registry.rs', 'use crate::repair::Rules;\npub struct Format(Rules);\n')
  write('repair/rules.rs', 'pub struct Rules;\n')
  const facade = 'mod rules;\npub use rules::Rules;\n'
  write('repair/mod.rs', facade)
  expect(circles(rustGraph(folder))).toEqual([])
  write('repair/mod.rs', `${facade}use crate::registry::Format;\npub fn check(_: Format) {}\n`)
  expect(circles(rustGraph(folder))).toEqual([['registry.rs', 'repair/mod.rs']])
  write('registry.rs', 'use crate::repair::rules::Rules;\npub struct Format(Rules);\n')
  expect(circles(rustGraph(folder))).toEqual([])
  rmSync(folder, { recursive: true })
})

test.each(crates)('the modules of %s have no circular imports', (_, graph) => {
  expect(graph.size).toBeGreaterThan(10)
  expect(circles(graph)).toEqual([])
})

describe('top-level folders of src/', () => {
  const roomOf = (file: string) => file.split('/')[0] as string
  const rooms = new Map([...grouped(engine, roomOf)].filter(([room]) => !room.endsWith('.rs')))

  test('every folder is in the list of allowed imports', () => {
    expect([...rooms.keys()].sort()).toEqual(Object.keys(allowed).sort())
  })

  test.each([...rooms])('src/%s imports only from allowed folders', (room, imported) => {
    expect([...imported].filter((other) => !allowed[room]?.includes(other))).toEqual([])
  })

  // The graph follows `use` and paths; this also finds names in tests and macros.
  test.each(files.filter((file) => file.includes('/')))(
    'src/%s names only allowed folders, also in tests and macros',
    (file) => {
      const named = [...code(file).matchAll(/\bcrate::(\w+)/g)].map((match) => match[1] as string)
      const may = [
        roomOf(file),
        ...(allowed[roomOf(file)] ?? []),
        ...(file.includes('test') ? ['formats'] : []),
      ]
      expect(named.filter((name) => !may.includes(name))).toEqual([])
    },
  )

  test('every allowed import is used', () => {
    const unused = Object.entries(allowed).flatMap(([room, others]) =>
      others.filter((other) => !rooms.get(room)?.has(other)).map((other) => `${room} -> ${other}`),
    )
    expect(unused).toEqual([])
  })
})

describe('src/projection', () => {
  const inside = (file: string) => file.startsWith('projection/')
  const graph: Graph = new Map(
    [...engine]
      .filter(([file]) => inside(file))
      .map(([file, imported]) => [file, new Set([...imported].filter(inside))]),
  )

  test('its folders and files form at most eight dependency layers', () => {
    const floors = grouped(graph, (file) => file.split('/').slice(0, 2).join('/'))
    expect(circles(floors)).toEqual([])
    const chain = longestChain(floors)
    expect(chain.length, chain.join(' -> ')).toBeLessThanOrEqual(8)
  })

  test('less than a fifth of its imports go from a folder to a file above it', () => {
    const depth = (file: string) => file.split('/').length
    const arrows = [...graph].flatMap(([file, imported]) =>
      [...imported].map((other) => [file, other] as const),
    )
    const upward = arrows.filter(([file, other]) => depth(other) < depth(file))
    expect(arrows.length).toBeGreaterThan(100)
    expect(upward.length / arrows.length).toBeLessThan(1 / 5)
  })
})

test('only src/wasm uses wasm_bindgen and js_sys', () => {
  const others = files.filter((file) => !file.startsWith('wasm/'))
  expect(others.filter((file) => /\b(wasm_bindgen|js_sys|serde_wasm_bindgen)\b/.test(code(file)))).toEqual([])
})

test('the engine reads no clock, no random numbers and no files', () => {
  const forbidden = /\bstd::(time|fs|net|env|process|thread)\b|\brand\b|getrandom|Instant::now|SystemTime/
  // Without generated files and test modules, one of which measures time.
  const runs = files.filter((file) => file !== 'generated.rs' && !/(^|\/)tests\.rs$/.test(file))
  expect(runs.filter((file) => forbidden.test(code(file)))).toEqual([])
})

test('no Rust file has more than 500 lines', () => {
  const folders = ['src', 'encodings/src', 'outline/src', 'tests'].map((folder) => at(folder))
  const all = folders.flatMap((folder) => sources(folder).map((file) => join(folder, file)))
  expect(all.filter((file) => readFileSync(file, 'utf8').split('\n').length > 500)).toEqual([])
})
