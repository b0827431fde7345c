// Long sessions that end early: the cost of `cacheAware` up to the cut, relative to sending everything. `npm run bench
// -- money --prefixes FILE...`
import { simulate } from '../../js/dist/entries/money.js'
import { cacheAware } from '../../js/dist/entries/trimtab.js'
import { mean, short, table } from './report.js'
import { pricesAt, READS } from './sessions.js'

const CUTS = [13, 18, 23, 28, 33, 38, 43, 47, 60, 75, 100]
const CHARACTERS = ['careful', 'balanced', 'thrifty']

/** Costs that differ by less count as equal. */
const SAME = 5e-4

/** A session with the given number of files, each read once: the case in which wrong predictions cost most. */
function readsOnce(files) {
  const text = (file) => `line of file ${file} with some words to fill the line up.\n`.repeat(100)
  const read = (file) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${file}`, name: 'Read', input: { file_path: `src/${file}.ts` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${file}`, content: text(file) }] },
  ]
  const messages = [
    { role: 'user', content: 'Go on.' },
    ...Array.from({ length: files }, (_, file) => read(file)).flat(),
    { role: 'assistant', content: 'Done.' },
  ]
  return { name: 'files read once', messages, options: { format: 'anthropic' } }
}

/** Returns the session cut after each of these answers, as far as it has them. */
function prefixesOf({ name, messages, options }) {
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  return CUTS.filter((cut) => cut <= answers.length).map((cut) => ({
    name: `${name} at ${cut}`,
    messages: messages.slice(0, answers[cut - 1] + 1),
    options,
  }))
}

export function printPrefixes(sessions) {
  const prefixes = [...sessions, readsOnce(70)].flatMap(prefixesOf)
  const rows = CHARACTERS.flatMap((character) =>
    READS.map((read) => {
      const prices = pricesAt(read)
      const policies = { one: cacheAware({ prices, character }) }
      const costs = prefixes.map(({ name, messages, options }) => {
        const [{ relativeCost }] = simulate(messages, policies, {
          ...options,
          prices,
          bounds: false,
        }).policies
        return { name, relativeCost }
      })
      const dearer = costs.filter(({ relativeCost }) => relativeCost > 1 + SAME)
      const most = costs.reduce((a, b) => (a.relativeCost >= b.relativeCost ? a : b))
      const average = mean(costs.map(({ relativeCost }) => relativeCost))
      return [character, read, short(average), dearer.length, `${short(most.relativeCost)} (${most.name})`]
    }),
  )
  console.log(`\n${prefixes.length} beginnings of sessions, of ${CUTS[0]} to ${CUTS.at(-1)} requests\n`)
  console.log(table(['character', 'read', 'cost (geometric mean)', 'over 1', 'most'], rows))
}
