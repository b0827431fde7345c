// Sources of a wasm file that are not wasm, and hosts that forbid compiling it.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TrimtabError } from 'trimtab'
import { loadGrammar } from 'trimtab/outline/json'
import { loadGrammar as loadYaml } from 'trimtab/outline/yaml'
import { afterEach, expect, test, vi } from 'vitest'
import { notStarted } from '../../js/dist/engine/module.js'
import { VALUES } from './hostile-values.js'

afterEach(() => vi.unstubAllGlobals())

const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
const NEEDED = 'serve a wasm file there, or pass {source: '

test('loadGrammar refuses an HTML page in place of a wasm file', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(page))
  const loading = loadGrammar({ source: new URL('http://localhost/json.wasm') })
  await expect(loading).rejects.toMatchObject({
    code: 'initialisation_failed',
    argument: 'source',
    message: `the response answered with text/html; charset=utf-8: ${NEEDED}bytes, a WebAssembly.Module, a Response or a URL}`,
  })
})

test('loadGrammar refuses an empty response, and an error status', async () => {
  await expect(loadGrammar({ source: new Response('') })).rejects.toThrow(NEEDED)
  await expect(loadGrammar({ source: new Response('', { status: 404 }) })).rejects.toThrow(
    `answered 404: ${NEEDED}`,
  )
})

test('loadGrammar takes the promise of a response, as fetch gives it', async () => {
  const file = fileURLToPath(import.meta.resolve('trimtab/outline/json.wasm'))
  const response = new Response(readFileSync(file), { headers: { 'content-type': 'application/wasm' } })
  const grammar = await loadGrammar({ source: Promise.resolve(response) })
  expect(grammar.outline('{"a": 1}').sections.map(({ name }) => name)).toEqual(['a'])
})

const cause = new Error('offline')
const closed = new ReadableStream({ pull: (controller) => controller.error(cause) })
test.each<[string, () => unknown]>([
  ['is rejected', () => Promise.reject(cause)],
  ['is rejected with a text', () => Promise.reject('offline')],
  ['ends early', () => new Response(closed)],
  [
    'throws when it is awaited',
    () =>
      Object.defineProperty({}, 'then', {
        get: () => {
          throw cause
        },
      }),
  ],
])('a source that %s is refused with the cause', async (_, source) => {
  await expect(loadYaml({ source: source() as Promise<Response> })).rejects.toMatchObject({
    name: 'TrimtabError',
    code: 'initialisation_failed',
    message: expect.stringMatching(/^the (source|response) cannot be fetched: .*offline/),
    cause: expect.anything(),
  })
})

test.each(Object.entries(VALUES))('%s as a source is refused', async (_, make) => {
  await expect(loadYaml({ source: make() as Response })).rejects.toBeInstanceOf(TrimtabError)
})

test.each(['init', 'initFiles', 'initIndex', 'initSearch', 'initValidity'])(
  '%s refuses a rejected promise',
  async (name) => {
    const script = `import { ${name} } from 'trimtab/slim'
    try { await ${name}(Promise.reject(new Error('offline'))) }
    catch (error) { console.log(error.name, error.code, error.cause.message) }`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(stdout.trim()).toBe('TrimtabError initialisation_failed offline')
  },
)

test.each([
  [
    "Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not allowed",
    "'wasm-unsafe-eval'",
  ],
  ['call to WebAssembly.Module() blocked by CSP: Content Security Policy', "'wasm-unsafe-eval'"],
  ['Wasm code generation disallowed by embedder', "the condition 'workerd'"],
])('the error explains how to allow WebAssembly if the host forbids it: %s', (words, advice) => {
  expect(notStarted('the engine does not start', new WebAssembly.CompileError(words)).message).toContain(
    advice,
  )
})
