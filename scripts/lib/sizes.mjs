// Sizes of everything that a user downloads, raw and compressed as by a server.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { vocabularies } from './encodings.mjs'
import { grammars } from './outline.mjs'
import { at, root } from './project.mjs'
import { filesIn } from './stamp.mjs'

/** The core must stay small enough to be inlined: at most 115 KB with brotli. */
const coreLimit = 115 * 1024

/** Context panel for other chat pages, without the engine's bytes. */
const panelLimit = 60 * 1024

/** `project` alone, with the engine's bytes and without. */
const projectLimits = { trimtab: 165 * 1024, slim: 11 * 1024 }

/** Size that an adapter adds to an application that uses `Context`: 3 KB, and what brotli's blocks make of the rest. */
const adapterLimit = 3 * 1024 + 80

/** Largest vocabulary: loaded on demand, but still over the network. */
const encodingLimits = { o200k_base: 1.65e6 }

function measureEncoding(name) {
  const bytes = readFileSync(at('pkg', 'encodings', `${name}_bg.wasm`))
  return measure(`trimtab/encodings/${name}.wasm`, bytes, encodingLimits[name])
}

/** Maximum that a page loads to outline Python. */
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

/** Computes a value when it is first asked for. */
function lazily(compute) {
  let made
  return () => {
    made ??= compute()
    return made
  }
}

/** Compressed sizes by digest: the page contains the same vocabularies and grammars as the package. */
const known = new Map()

function compressed(bytes) {
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (!known.has(digest)) {
    const gzip = lazily(() => gzipSync(bytes, { level: 9 }).length)
    known.set(digest, { gzip, brotli: lazily(() => brotli(bytes)) })
  }
  return known.get(digest)
}

/** A row whose compressed sizes are computed when they are read: the best compression of everything takes a minute. */
function measure(name, bytes, limit = Number.POSITIVE_INFINITY) {
  const sizes = compressed(bytes)
  return {
    name,
    raw: bytes.length,
    get gzip() {
      return sizes.gzip()
    },
    get brotli() {
      return sizes.brotli()
    },
    limit,
  }
}

/** Comments in front of a bundle. Each moves the blocks that brotli makes, and with them the sizes by up to 80 bytes. */
const shifts = ['', '/*a*/', '/*abc*/', '/*abcde*/', '/*abcdefg*/', '/*abcdefghi*/', '/*abcdefghijk*/']

/** What is added to a bundle, compressed: the median over some positions of brotli's blocks. */
function addedBrotli(whole, alone) {
  const size = (shift, bytes) => compressed(Buffer.concat([Buffer.from(shift), bytes])).brotli()
  const sizes = shifts.map((shift) => size(shift, whole) - size(shift, alone))
  return sizes.sort((one, other) => one - other)[(shifts.length - 1) / 2]
}

/** A row of what is added to a bundle. */
function added(name, whole, alone, limit) {
  const brotli = lazily(() => addedBrotli(whole, alone))
  return {
    name,
    raw: whole.length - alone.length,
    get gzip() {
      return compressed(whole).gzip() - compressed(alone).gzip()
    },
    get brotli() {
      return brotli()
    },
    limit,
  }
}

/** Bundles a module as an application does: minified, with the engine's bytes if an entry provides them. */
async function bundle(code) {
  // The esbuild that Vite depends on.
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

/** Rooms of adapters: each has a file `trimtab.js`. */
const adapters = () =>
  readdirSync(at('js', 'src'))
    .filter((room) => existsSync(at('js', 'src', room, 'trimtab.ts')))
    .sort()

/** @returns one row per adapter: the size it adds to an application that uses `Context` */
export async function adapterSizes() {
  const context = exportsOf('{ init, Context }', 'slim.js')
  const alone = await bundle(context)
  const rows = []
  for (const room of adapters()) {
    const whole = await bundle(context + exportsOf('*', `${room}/index.js`))
    rows.push(added(`trimtab/${room}, beside Context`, whole, alone, adapterLimit))
  }
  return rows
}

/** @returns one row per way to import the engine */
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
const isLimited = ({ limit }) => Number.isFinite(limit)
export const isOver = (row) => isLimited(row) && row.brotli > row.limit

function sizeTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name, ...cells) => `${name.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}`
  const limitOf = (row) => (isLimited(row) ? `  limit ${kilobytes(row.limit)} brotli` : '')
  const body = rows.map(
    (row) => line(row.name, ...[row.raw, row.gzip, row.brotli].map(kilobytes)) + limitOf(row),
  )
  return [line('', 'raw', 'gzip', 'brotli'), ...body].join('\n')
}

function reportOn(rows) {
  const over = rows
    .filter(isOver)
    .map(({ name, brotli: size }) => `${name}: ${kilobytes(size)} brotli is over its limit`)
  return { ok: over.length === 0, output: [sizeTable(rows), ...over].join('\n') }
}

export const sizeReport = async () => reportOn(await measureAll())

/** Checks all limits, without the sizes of what has none. */
export const checkLimits = async () => reportOn((await measureAll()).filter(isLimited))
