// How long 1 MB of source takes to be outlined, by language: a file of this project, repeated.
import { existsSync, readFileSync } from 'node:fs'
import { loadGrammar } from '../js/dist/outline/index.js'

const MEGABYTE = 1e6
const sources = {
  rust: 'src/reading/lines.rs',
  typescript: 'js/src/reading.ts',
  javascript: 'scripts/build.mjs',
  json: 'package.json',
  markdown: 'docs/decisions.md',
  python: '/usr/lib/python3.11/json/decoder.py',
}

console.log('1 MB outlined, in ms: the first time, and the best of 5')
for (const [language, path] of Object.entries(sources)) {
  const file = path.startsWith('/') ? path : new URL(`../${path}`, import.meta.url)
  if (!existsSync(file)) continue
  const text = readFileSync(file, 'utf8')
  const content = text.repeat(Math.ceil(MEGABYTE / text.length))
  const grammar = await loadGrammar(language)
  const times = Array.from({ length: 6 }, () => {
    const start = performance.now()
    grammar.outline(content, {}, language)
    return performance.now() - start
  })
  const [first = 0] = times
  console.log(
    `${language.padEnd(12)}${first.toFixed(0).padStart(6)}${Math.min(...times)
      .toFixed(0)
      .padStart(6)}`,
  )
}
