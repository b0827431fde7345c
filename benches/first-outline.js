// Run by outline.js in a process of its own for each grammar: processor time of outlining 1 MB of its real files, the first
// time and the best of five. Prints them as JSON.
import { loadGrammar } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const [language] = process.argv.slice(2)
const files = filesOf(language).map(({ content }) => content)
const all = files.join('\n')
const copies = Math.ceil(1e6 / all.length)
// Documents of YAML in one file make an invalid one, which takes less: its files are outlined one by one.
const contents = language === 'yaml' ? Array(copies).fill(files).flat() : [all.repeat(copies).slice(0, 1e6)]
const megabytes = contents.reduce((sum, { length }) => sum + length, 0) / 1e6
const grammar = await loadGrammar(language)

/** Milliseconds of all threads: the engine's compiler works beside the engine. */
const spent = (work) => {
  const { user, system } = process.cpuUsage()
  work()
  const { user: userAfter, system: systemAfter } = process.cpuUsage()
  return (userAfter - user + systemAfter - system) / 1000 / megabytes
}
const outlineAll = () => contents.forEach((content) => void grammar.outline(content, {}, language))
const times = Array.from({ length: 6 }, () => spent(outlineAll))
console.log(JSON.stringify({ first: times[0], best: Math.min(...times.slice(1)) }))
