// Exact token counts beside the fastest npm tokenizers, all in one process and in turns. Each rival must count the same.
// `npm run bench -- tokens` in the project's root builds, installs and runs this.
import { readdirSync, readFileSync } from 'node:fs'
import AiTokenizer from 'ai-tokenizer'
import * as aiO200k from 'ai-tokenizer/encoding/o200k_base'
import { countTokens as gptCount } from 'gpt-tokenizer/encoding/o200k_base'
import { loadEncoding } from '../js/dist/encodings/index.js'
import { processorTime, rotated, Times } from './measure.js'
import { verdict } from './report.js'

const root = new URL('..', import.meta.url)
const sources = (folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|rs|mjs|md)$/.test(name) && !/-bytes\.ts$/.test(name))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'))

/** Texts of the results in a session: what an agent's tools have printed. */
function toolOutputs() {
  const lines = readFileSync(new URL('examples/session.jsonl', root), 'utf8').split('\n').filter(Boolean)
  const blocks = lines.flatMap((line) => JSON.parse(line).message?.content ?? [])
  const contents = blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => content)
  return contents.map((content) => (typeof content === 'string' ? content : JSON.stringify(content)))
}

/** Milliseconds of processor time so far: what else the machine does is not in it, work on other threads is. */
const start = processorTime()
const encoding = await loadEncoding('o200k_base')
const loaded = processorTime() - start

const ai = new AiTokenizer(aiO200k)
const RIVALS = {
  trimtab: (text) => encoding.count(text),
  'ai-tokenizer': (text) => ai.count(text),
  'gpt-tokenizer': (text) => gptCount(text),
}
/** The rivals refuse a text with the name of a special token. */
const plain = (texts) => texts.map((text) => text.replaceAll('<|', '< |'))

const CORPORA = { code: sources('src').concat(sources('js/src')), 'tool outputs': toolOutputs() }

/** Texts that nobody has counted: every word is another one. */
const fresh = (texts, round) =>
  texts.map((text) =>
    text.replace(
      /\p{L}{5,}/gu,
      (word) => word.slice(2) + word[0] + String.fromCharCode(97 + (round % 26)) + word[1],
    ),
  )

const ROUNDS = 9
const figures = []
for (const [corpus, found] of Object.entries(CORPORA)) {
  const texts = plain(found)
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  const [cold, warm] = [new Times(), new Times()]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [times, input] of [
      [cold, fresh(texts, round)],
      [warm, texts],
    ]) {
      const counts = rotated(Object.entries(RIVALS), round).map(([name, count]) => {
        let sum = 0
        times.measure(name, () => {
          for (const text of input) sum += count(text)
          return sum
        })
        return [name, sum]
      })
      const different = counts.find(([, sum]) => sum !== counts[0][1])
      if (different) throw new Error(`${corpus}: counts differ: ${JSON.stringify(counts)}`)
    }
  }
  for (const [state, times, least] of [
    ['cold', cold, 3],
    ['warm', warm, 5],
  ]) {
    const speeds = Object.keys(RIVALS).map(
      (name) => `${name} ${(megabytes / (times.median(name) / 1000)).toFixed(1)} MB/s`,
    )
    console.log(`${corpus}, ${megabytes.toFixed(2)} MB, ${state}: ${speeds.join(', ')}`)
    for (const rival of ['ai-tokenizer', 'gpt-tokenizer']) {
      const value = (part) => times.quantile('trimtab', part) / times.quantile(rival, part)
      figures.push({
        what: `${corpus}, ${state}: time of trimtab / ${rival}`,
        value,
        limit: 1 / least,
        unit: 'x',
      })
    }
  }
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
