// The size of everything that a user downloads, raw and as a server would send it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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

/** `project` alone, with the engine's bytes; and without them. */
const projectLimits = { trimtab: 165 * 1024, slim: 14 * 1024 }

/** What an adapter adds to an application that has `Context`. */
const adapterLimit = 3 * 1024

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

/** What an application's bundler makes of a module: minified, with the bytes of the engine where an entry brings them. */
async function bundle(code) {
  // The esbuild that Vite brings.
  const { build } = createRequire(createRequire(import.meta.url).resolve('vite'))('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['node:*'],
    logLevel: 'error',
  })
  return Buffer.from(outputFiles[0].contents)
}

const exportsOf = (names, path) => `export ${names} from ${JSON.stringify(at('js', 'dist', path))}\n`
const whole = (path) => bundle(exportsOf('*', path))

/** The rooms of adapters: each has a file `trimtab.js`. */
const adapters = () =>
  readdirSync(at('js', 'src'))
    .filter((room) => existsSync(at('js', 'src', room, 'trimtab.ts')))
    .sort()

/** @returns one row for each adapter: what it adds to an application that has `Context` */
export async function adapterSizes() {
  const context = exportsOf('{ init, Context }', 'slim.js')
  const alone = measure('', await bundle(context))
  const rows = []
  for (const room of adapters()) {
    const {
      raw,
      gzip,
      brotli: small,
    } = measure('', await bundle(context + exportsOf('*', `${room}/index.js`)))
    const added = { raw: raw - alone.raw, gzip: gzip - alone.gzip, brotli: small - alone.brotli }
    rows.push({ name: `trimtab/${room}, beside Context`, ...added, limit: adapterLimit })
  }
  return rows
}

/** @returns one row for each way to import the engine */
export async function engineSizes() {
  const alone = async (names, path) => bundle(exportsOf(names, path))
  return [
    measure('project, bundled', await alone('{ project }', 'entries/trimtab.js'), projectLimits.trimtab),
    measure('trimtab, bundled', await whole('entries/trimtab.js')),
    measure('slim: init, project', await alone('{ init, project }', 'slim.js'), projectLimits.slim),
    measure('trimtab/slim, bundled', await whole('slim.js')),
  ]
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
    ...(await engineSizes()),
    measure('trimtab/slim/panel, bundled', await whole('panel/index.js'), panelLimit),
    measure('trimtab/transcripts, bundled', await whole('entries/transcripts.js')),
    ...(await adapterSizes()),
    ...vocabularies.map(measureEncoding),
    ...grammars.map(measureOutline),
    ...page,
  ]
}

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
export const isOver = (row) => row.brotli > row.limit

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
