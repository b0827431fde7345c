import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = new URL('../src', import.meta.url).pathname

/** What each room may import (docs/explain/architecture.md). */
const allowed: Record<string, string[]> = {
  text: [],
  output: ['text'],
  tokens: ['text'],
  message: ['text', 'tokens', 'output'],
  formats: ['text', 'tokens', 'output', 'message'],
  projection: ['text', 'tokens', 'output', 'message'],
  reading: ['text', 'tokens', 'message'],
  editing: ['text', 'tokens', 'message'],
  index: ['text', 'tokens', 'message'],
  wasm: ['text', 'tokens', 'output', 'message', 'formats', 'projection', 'reading', 'editing', 'index'],
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.rs'))

/** Code without its comments. */
const code = (file: string) => readFileSync(join(SRC, file), 'utf8').replace(/\/\/.*$/gm, '')

test('every room is known', () => {
  const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(rooms.map((room) => room.name).sort()).toEqual(Object.keys(allowed).sort())
})

test.each(files.filter((file) => file.includes('/')))('src/%s imports only what its room may', (file) => {
  const room = file.split('/')[0] as string
  const imported = [...code(file).matchAll(/\bcrate::(\w+)/g)].map((match) => match[1] as string)
  const foreign = new Set(imported.filter((name) => name !== room && !allowed[room]?.includes(name)))
  expect([...foreign]).toEqual([])
})

test('only the boundary names wasm_bindgen and js_sys', () => {
  const others = files.filter((file) => !file.startsWith('wasm/'))
  expect(others.filter((file) => /\b(wasm_bindgen|js_sys|serde_wasm_bindgen)\b/.test(code(file)))).toEqual([])
})

test('nothing in the engine reads a clock, randomness or a file', () => {
  const forbidden = /\bstd::(time|fs|net|env|process|thread)\b|\brand\b|getrandom|Instant::now|SystemTime/
  // Written by a test.
  const engine = files.filter((file) => file !== 'generated.rs')
  expect(engine.filter((file) => forbidden.test(code(file)))).toEqual([])
})

test('no file has more than 500 lines', () => {
  expect(files.filter((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length > 500)).toEqual([])
})
