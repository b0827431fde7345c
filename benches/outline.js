// Outlines of real files, by language: missing top-level definitions, size of the outlines, and time for 1 MB. `npm run
// corpus` downloads files in languages that no package here is written in. Definitions are found by the grammar's own
// query (outline/examples/definitions); in Markdown, by lines.
//   npm run bench -- outline [--only csharp,ruby] [--verbose] [--no-times]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadGrammar, outlineLanguages } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const flag = { type: 'boolean', default: false }
const options = { only: { type: 'string' }, verbose: flag, 'no-times': flag }
const { values } = parseArgs({ options })

/** Everything in a style sheet or a page is top-level: an outline may fold it, and lists it as a section. */
const LISTS = new Set(['css', 'html'])

function run(command, input) {
  const { status, stdout, stderr, error } = spawnSync(command[0], command.slice(1), {
    cwd: project,
    encoding: 'utf8',
    input,
    maxBuffer: 1e9,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** Returns the definitions that the grammar's query finds in each file. */
function byQuery(language, files) {
  const program = ['cargo', 'run', '--quiet', '-p', 'trimtab-outline', '--example', 'definitions']
  const input = files.map(({ path }) => `${language}\t${path}\n`).join('')
  return run(program, input)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) ?? { definitions: [], malformed: false })
}

/** Headings of the first two levels, outside code and indented text. */
function byHeadings(files) {
  return files.map(({ content }) => {
    let fence
    const definitions = []
    for (const [index, line] of content.split('\n').entries()) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence === undefined && mark) fence = mark
      else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined
      else if (fence === undefined && /^##? \w/.test(line)) definitions.push([index + 1, line])
    }
    return { definitions, malformed: false }
  })
}

const normal = (name) => name.split(/\s+/).join(' ').slice(0, 120)

function isMissing(language, outline, [line, name]) {
  if (!LISTS.has(language)) return !outline.shown.some(({ start, end }) => start <= line && line <= end)
  const isNamed = (section) => section.startLine === line || section.name === normal(name)
  return !outline.sections.some(isNamed)
}

async function measure(language) {
  const files = filesOf(language)
  if (files.length === 0) return { files: 0 }
  const grammar = await loadGrammar(language === 'markdown' ? 'text' : language)
  const found = language === 'markdown' ? byHeadings(files) : byQuery(language, files)
  const results = files.map(({ path, content }, index) => {
    const outline = grammar.outline(content, {}, language)
    const { definitions, malformed } = found[index]
    const missing = definitions.filter((definition) => isMissing(language, outline, definition))
    const share = Buffer.byteLength(outline.text) / Buffer.byteLength(content)
    return { path, share, definitions: definitions.length, missing, malformed }
  })
  if (values.verbose) for (const result of results) explain(result)
  const shares = results.map(({ share }) => share).sort((a, b) => a - b)
  const sum = (of) => results.reduce((total, result) => total + of(result), 0)
  return {
    files: files.length,
    malformed: sum(({ malformed }) => Number(malformed)),
    definitions: sum(({ definitions }) => definitions),
    missing: sum(({ missing }) => missing.length),
    median: shares[shares.length >> 1],
    largest: shares.at(-1),
    ...times(language),
  }
}

function explain({ path, share, missing }) {
  console.log(`${(share * 100).toFixed(1).padStart(6)} % ${path}`)
  for (const [line, name] of missing) console.log(`         missing: ${path}:${line} ${name}`)
}

function times(language) {
  if (values['no-times']) return {}
  const script = fileURLToPath(new URL('first-outline.js', import.meta.url))
  // Minimum of three: other work on the machine can only add time.
  const runs = Array.from({ length: 3 }, () => JSON.parse(run([process.execPath, script, language])))
  const least = (of) => Math.min(...runs.map(of))
  return {
    first: least(({ first }) => first),
    processor: least(({ processor }) => processor),
    best: least(({ best }) => best),
  }
}

const percent = (share) => (share === undefined ? '-' : `${(share * 100).toFixed(1)} %`)
const whole = (number) => (number === undefined ? '-' : number.toFixed(0))
const row = (...cells) =>
  console.log(cells.map((cell, i) => String(cell)[i ? 'padStart' : 'padEnd'](12)).join(''))

const languages = outlineLanguages.filter((language) => language !== 'text')
const wanted = values.only?.split(',') ?? languages
console.log(
  'Outlines of real files; milliseconds for 1 MB: in a new process, by the clock and in processor time; and once warm\n',
)
row('', 'files', 'malformed', 'definitions', 'missing', 'median', 'largest', 'first', 'processor', 'warm')
for (const language of wanted) {
  const found = await measure(language)
  const { files, malformed, definitions, missing, median, largest, first, processor, best } = found
  row(
    language,
    files,
    malformed,
    definitions,
    missing,
    percent(median),
    percent(largest),
    whole(first),
    whole(processor),
    whole(best),
  )
}
