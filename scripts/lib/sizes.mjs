// The size of everything that a user downloads, raw and as a server would send it.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vocabularies } from './encodings.mjs'
import { grammars } from './outline.mjs'
import { at, root } from './project.mjs'
import { filesIn } from './stamp.mjs'

/** The core must stay small enough to be inlined: at most 115 KB brotli. */
const coreLimit = 115 * 1024

/** The context panel for other chat pages, without the engine's bytes. */
const panelLimit = 60 * 1024

/** The largest vocabulary: loaded when asked for, but still over somebody's network. */
const encodingLimits = { o200k_base: 1.65e6 }

function measureEncoding(name) {
  const bytes = readFileSync(at('pkg', 'encodings', `${name}_bg.wasm`))
  return measure(`trimtab/encodings/${name}.wasm`, bytes, encodingLimits[name])
}

/** A page that outlines Python loads at most this. */
const outlineLimits = { python: 400 * 1024 }

function measureOutline(name) {
  const bytes = readFileSync(at('pkg', 'outline', `${name}_bg.wasm`))
  return measure(`trimtab/outline/${name}.wasm`, bytes, outlineLimits[name])
}

function brotli(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotliCompressSync(bytes, { params }).length
}

function measure(name, bytes, limit = Number.POSITIVE_INFINITY) {
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes), limit }
}

/** What an application's bundler makes of an entry point: minified, with the core's bytes inlined. */
async function bundle(entry) {
  const { build } = await import('vite')
  const lib = { entry: at(entry), formats: ['es'], fileName: 'bundle' }
  const settings = {
    write: false,
    minify: 'esbuild',
    target: 'es2022',
    lib,
    rollupOptions: { external: /^node:/ },
  }
  const [{ output }] = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: settings,
  })
  return Buffer.from(output.find(({ isEntry }) => isEntry).code)
}

/** @returns one row per artifact, sizes in bytes */
async function measureAll() {
  const page = filesIn('www/dist').map((file) => measure(relative(root, file), readFileSync(file)))
  return [
    measure('pkg/core_bg.wasm', readFileSync(at('pkg', 'core_bg.wasm')), coreLimit),
    measure('pkg/files_bg.wasm', readFileSync(at('pkg', 'files_bg.wasm'))),
    measure('pkg/validity_bg.wasm', readFileSync(at('pkg', 'validity_bg.wasm'))),
    measure('pkg/index_bg.wasm', readFileSync(at('pkg', 'index_bg.wasm'))),
    measure('pkg/search_bg.wasm', readFileSync(at('pkg', 'search_bg.wasm'))),
    measure('pkg/core.js', readFileSync(at('pkg', 'core.js'))),
    measure('trimtab, bundled', await bundle('js/dist/entries/trimtab.js')),
    measure('trimtab/slim, bundled', await bundle('js/dist/slim.js')),
    measure('trimtab/slim/panel, bundled', await bundle('js/dist/panel/index.js'), panelLimit),
    measure('trimtab/transcripts, bundled', await bundle('js/dist/entries/transcripts.js')),
    ...vocabularies.map(measureEncoding),
    ...grammars.map(measureOutline),
    ...page,
  ]
}

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
const isOver = (row) => row.brotli > row.limit

function sizeTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name, ...cells) => `${name.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}`
  const limitOf = ({ limit }) => (Number.isFinite(limit) ? `  limit ${kilobytes(limit)} brotli` : '')
  const body = rows.map(
    (row) => line(row.name, ...[row.raw, row.gzip, row.brotli].map(kilobytes)) + limitOf(row),
  )
  return [line('', 'raw', 'gzip', 'brotli'), ...body].join('\n')
}

export async function sizeReport() {
  const rows = await measureAll()
  const over = rows
    .filter(isOver)
    .map(({ name, brotli: size }) => `${name}: ${kilobytes(size)} brotli is over its limit`)
  return { ok: over.length === 0, output: [sizeTable(rows), ...over].join('\n') }
}
