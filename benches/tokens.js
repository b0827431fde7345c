// Compares exact token counts with the fastest npm tokenizers, in one process and taking turns. All must agree. `npm
// run bench -- tokens` in the project's root builds, installs and runs this.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import AiTokenizer from 'ai-tokenizer'
import * as aiO200k from 'ai-tokenizer/encoding/o200k_base'
import { countTokens as gptCount } from 'gpt-tokenizer/encoding/o200k_base'
import { loadEncoding } from '../js/dist/encodings/index.js'
import { processorTime, rotated, Times } from './measure.js'
import { verdict } from './report.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Maximum characters of a kind of text: more gives no further information. */
const MOST = 1.5e6

/** Texts of a folder's files, sorted by name. */
function texts(folder, pattern, { recursive = true } = {}) {
  const names = readdirSync(folder, { recursive, encoding: 'utf8' }).filter((name) => pattern.test(name))
  const found = names.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  let length = 0
  return found.filter((text) => {
    length += text.length
    return length <= MOST
  })
}

/** Texts of Python's standard library, if Python is installed. */
function python() {
  try {
    const code = 'import os; print(os.path.dirname(os.__file__))'
    const folder = execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim()
    return texts(folder, /\.py$/, { recursive: false })
  } catch {
    return []
  }
}

/** Texts of the results in a session: output of an agent's tools. */
function toolOutputs() {
  const lines = readFileSync(join(root, 'examples', 'session.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
  const blocks = lines.flatMap((line) => JSON.parse(line).message?.content ?? [])
  const contents = blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => content)
  return contents.map((content) => (typeof content === 'string' ? content : JSON.stringify(content)))
}

/** Processor time so far in milliseconds: excludes other work on the machine, includes other threads. */
const start = processorTime()
const encoding = await loadEncoding('o200k_base')
const loaded = processorTime() - start

const ai = new AiTokenizer(aiO200k)
const RIVALS = {
  trimtab: (text) => encoding.count(text),
  'ai-tokenizer': (text) => ai.count(text),
  'gpt-tokenizer': (text) => gptCount(text),
}
/** The rivals reject texts that contain the name of a special token. */
const plain = (texts) => texts.map((text) => text.replaceAll('<|', '< |'))

const CORPORA = {
  TypeScript: texts(join(root, 'js', 'src'), /(?<!-bytes)\.ts$/),
  Rust: texts(join(root, 'src'), /\.rs$/),
  Python: python(),
  JSON: texts(root, /^(?:package-lock|biome|knip)\.json$/, { recursive: false }),
  'tool outputs': toolOutputs(),
}

/** Texts that were not counted before: every word is different. */
const fresh = (texts, round) =>
  texts.map((text) =>
    text.replace(
      /\p{L}{5,}/gu,
      (word) => word.slice(2) + word[0] + String.fromCharCode(97 + (round % 26)) + word[1],
    ),
  )

/** All rivals count the same texts in turns, starting with a different one in each round; their counts must agree. */
function compete(times, texts, round) {
  const counts = rotated(Object.entries(RIVALS), round).map(([name, count]) => {
    const begin = processorTime()
    let sum = 0
    for (const text of texts) sum += count(text)
    times.add(name, processorTime() - begin)
    return [name, sum]
  })
  const isSame = counts.every(([, sum]) => sum === counts[0][1])
  if (!isSame) throw new Error(`counts differ: ${JSON.stringify(counts)}`)
}

const ROUNDS = 11
const figures = []

/** Judges these times against the targets. */
function judge(what, times, megabytes, least) {
  const speeds = Object.keys(RIVALS).map(
    (name) => `${name} ${(megabytes / (times.median(name) / 1000)).toFixed(1)} MB/s`,
  )
  console.log(`${what}, ${megabytes.toFixed(2)} MB: ${speeds.join(', ')}`)
  for (const rival of ['ai-tokenizer', 'gpt-tokenizer']) {
    const value = (part) => times.quantile('trimtab', part) / times.quantile(rival, part)
    figures.push({ what: `${what}: time of trimtab / ${rival}`, value, limit: 1 / least, unit: 'x' })
  }
}

for (const [corpus, found] of Object.entries(CORPORA).filter(([, found]) => found.length > 0)) {
  const input = plain(found)
  const megabytes = input.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  const [cold, warm] = [new Times(), new Times()]
  for (let round = 0; round < ROUNDS; round++) compete(cold, fresh(input, round), round)
  // Warm texts were counted just before, with nothing in between: every rival keeps its caches.
  compete(new Times(), input, 0)
  for (let round = 0; round < ROUNDS; round++) compete(warm, input, round)
  judge(`${corpus}, cold`, cold, megabytes, 3)
  judge(`${corpus}, warm`, warm, megabytes, 5)
}

/** Shapes that make tokenizers quadratic, a megabyte each. */
const SHAPES = {
  spaces: ' ',
  newlines: '\n',
  tabs: '\t',
  'CR LF': '\r\n',
  'one letter': 'a',
  ACGT: 'ACGGTCATT',
  'one ideograph': '的',
  'emoji sequences': '👩‍👩‍👧‍👦',
  flags: '🇩🇪',
  punctuation: '!?.,',
  slashes: '/',
  quotes: "'",
  zeros: '\0',
  marks: '\u0301',
  joiners: '\u200d',
  digits: '1234567890',
  'no-break spaces': '\u00a0',
  'ideographic spaces': '!\n　　—\n　　',
  'mixed case': 'aA',
  base64: 'Zm9vYmFyIGJheiBxdXV4',
}
for (const [name, piece] of Object.entries(SHAPES)) {
  const text = piece.repeat(Math.ceil(1e6 / Buffer.byteLength(piece)))
  const begin = processorTime()
  encoding.count(text)
  const taken = processorTime() - begin
  figures.push({ what: `1 MB of ${name}, processor time`, value: () => taken, limit: 1000, unit: ' ms' })
}
figures.push({
  what: "loadEncoding('o200k_base'), processor time",
  value: () => loaded,
  limit: 120,
  unit: ' ms',
})

console.log('\nPromised:')
for (const figure of figures) console.log(verdict(figure))
