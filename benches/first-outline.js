// Run by outline.js in a process of its own for each grammar: processor time of outlining 1 MB of its real files, the first
// time and the best of five. Prints them as JSON.
import { loadGrammar } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const [language] = process.argv.slice(2)
const all = filesOf(language)
  .map(({ content }) => content)
  .join('\n')
const megabyte = all.repeat(Math.ceil(1e6 / all.length)).slice(0, 1e6)
const grammar = await loadGrammar(language)

/** Milliseconds of all threads: the engine's compiler works beside the engine. */
const spent = (work) => {
  const { user, system } = process.cpuUsage()
  work()
  const { user: userAfter, system: systemAfter } = process.cpuUsage()
  return (userAfter - user + systemAfter - system) / 1000
}
const times = Array.from({ length: 6 }, () => spent(() => grammar.outline(megabyte, {}, language)))
console.log(JSON.stringify({ first: times[0], best: Math.min(...times.slice(1)) }))
