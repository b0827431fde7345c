// Measures the index: time and memory for up to 10,000 source files of this machine, at most 50 MB, then queries, a
// changed file and digests. With and without sections from outlines. `npm run bench -- index` in the project's root
// builds and runs this. Other folders: `TRIMTAB_SOURCES=/a:/b`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createIndex } from '../js/dist/entries/index.js'
import { detectLanguage, loadGrammar } from '../js/dist/outline/index.js'
import { collectGarbage, Times } from './measure.js'
import { verdict } from './report.js'

const MOST_FILES = 10_000
const MOST_BYTES = 50e6
const SOURCE = /\.(?:rs|[cm]?[jt]sx?|py|go|java|c|h|cpp|hpp|cs|rb|zig|md|toml)$/

const root = new URL('..', import.meta.url).pathname
const folders = process.env.TRIMTAB_SOURCES?.split(':') ?? [
  join(root, 'src'),
  join(root, 'js', 'src'),
  join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry', 'src'),
  join(root, 'node_modules'),
  join(root, 'benches', 'node_modules'),
]

/** Yields the source files below a folder, sorted by name; links are not followed. */
function* filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path
  }
}

function corpus() {
  const files = []
  let bytes = 0
  const known = folders.filter((folder) => existsSync(folder))
  for (const path of known.flatMap((folder) => [...filesBelow(folder)])) {
    const { size } = statSync(path)
    // Typical size of source files: 10,000 of them make up the 50 MB.
    if (size === 0 || size > 24_000 || bytes + size > MOST_BYTES) continue
    files.push({ path, content: readFileSync(path, 'utf8') })
    bytes += size
    if (files.length === MOST_FILES) break
  }
  return { files, bytes }
}

const QUERIES = [
  'where is the request parsed',
  'parseHttpRequest',
  'how are errors reported when a file cannot be read',
  'TokenStream to string conversion with spans',
  'retry with exponential backoff',
  'the user wants to change how the cache evicts entries: which functions write to it and which tests cover that',
]

/** Conversation of an agent: ten messages of 300 characters. */
const conversationOf = (files) =>
  files
    .filter((_, at) => at % Math.ceil(files.length / 10) === 0)
    .map(({ content }) => content.slice(500, 800))
    .join('\n')

const memory = async () => {
  await collectGarbage()
  return process.memoryUsage().rss
}

/** Processor time by name, in ms: independent of other work on the machine. */
class ProcessorTimes {
  #sums = new Map()

  measure(name, work) {
    const before = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(before)
    const [sum, count] = this.#sums.get(name) ?? [0, 0]
    this.#sums.set(name, [sum + (user + system) / 1000, count + 1])
    return result
  }

  toString() {
    const means = [...this.#sums].map(([name, [sum, count]]) => `${name} ${(sum / count).toFixed(2)}`)
    return `processor time on average, in ms: ${means.join(', ')}`
  }
}

async function measure(title, files, bytes) {
  const times = new Times()
  const processor = new ProcessorTimes()
  const timed = (name, work) => times.measure(name, () => processor.measure(name, work))
  const before = await memory()
  const index = createIndex()
  const start = performance.now()
  processor.measure('all', () => {
    for (const file of files) index.add(file)
  })
  const added = performance.now() - start
  const after = await memory()
  // The texts are the host's own strings; they are counted once, since the index keeps them alive.
  const taken = after - before + bytes
  const conversation = conversationOf(files)
  const paths = files.map(({ path }) => path)
  for (let round = 0; round < 50; round++) {
    for (const query of QUERIES) timed('query', () => index.query(query))
    timed('long', () => index.query(conversation, { conversation }))
    const { path, content, sections } = files[(round * 193) % files.length]
    timed('change', () =>
      index.add({ path, content: `${content}\nconst changed${round} = ${round}\n`, sections }),
    )
    timed('digest', () => index.digest(paths[(round * 389) % paths.length], conversation))
  }
  console.log(`\n${title}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`)
  const ms = (name) => (part) => times.quantile(name, part)
  const figures = [
    { what: 'all files added', value: () => added, limit: 25_000, unit: ' ms' },
    { what: 'memory / text', value: () => taken / bytes, limit: 3, unit: 'x' },
    { what: 'query', value: ms('query'), limit: 20, unit: ' ms' },
    { what: 'query, a conversation of 3,000 characters', value: ms('long'), limit: 20, unit: ' ms' },
    { what: 'one changed file', value: ms('change'), limit: 10, unit: ' ms' },
    { what: 'digest', value: ms('digest'), limit: 20, unit: ' ms' },
  ]
  for (const figure of figures) console.log(verdict(figure))
  console.log(`${processor}`)
  index[Symbol.dispose]()
}

const { files, bytes } = corpus()
await measure('without outlines', files, bytes)

/** The host's part of the work: sections of each file. */
async function outlined() {
  const grammars = new Map()
  const start = performance.now()
  const found = []
  for (const { path, content } of files) {
    const language = detectLanguage(path, content)
    if (!grammars.has(language)) grammars.set(language, await loadGrammar(language))
    const { sections } = grammars.get(language).outline(content, {}, language)
    found.push({ path, content, sections })
  }
  console.log(`\nall files outlined in ${(performance.now() - start).toFixed(0)} ms`)
  return found
}

await measure('with the sections of outlines', await outlined(), bytes)
