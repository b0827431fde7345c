// Run by outline.js in a separate process for each grammar: measures outlining 1 MB of real files, the first time in
// wall clock and processor time, and the best of five. Prints the times as JSON.
import { loadGrammar } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const [language] = process.argv.slice(2)
const files = filesOf(language).map(({ content }) => content)
const all = files.join('\n')
const copies = Math.ceil(1e6 / all.length)
// Several YAML documents in one file are invalid and take less time: YAML files are outlined one by one.
const contents = language === 'yaml' ? Array(copies).fill(files).flat() : [all.repeat(copies).slice(0, 1e6)]
const megabytes = contents.reduce((sum, { length }) => sum + length, 0) / 1e6
const grammar = await loadGrammar(language)

/**
 * Milliseconds per megabyte: wall clock, and processor time of all threads, since the engine's compiler runs in
 * parallel.
 */
const spent = (work) => {
  const [before, begin] = [process.cpuUsage(), performance.now()]
  work()
  const elapsed = performance.now() - begin
  const { user, system } = process.cpuUsage(before)
  return { elapsed: elapsed / megabytes, processor: (user + system) / 1000 / megabytes }
}
const outlineAll = () => contents.forEach((content) => void grammar.outline(content, {}, language))
const [first, ...others] = Array.from({ length: 6 }, () => spent(outlineAll))
const best = Math.min(...others.map(({ processor }) => processor))
console.log(JSON.stringify({ first: first.elapsed, processor: first.processor, best }))
