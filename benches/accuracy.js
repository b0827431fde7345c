// Compares sections of real files with the definitions found by independent parsers (benches/oracles): the share of
// top-level definitions, members and test blocks that have a section, by name and position. `npm run corpus` downloads
// files; `--folders a,b` searches other folders.
//   npm run bench -- accuracy [--only go,ruby] [--folders /usr/share/x] [--files 150] [--verbose]
import { parseArgs } from 'node:util'
import { loadGrammar, outlineLanguages } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'
import { ORACLES } from './oracles/index.js'

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
const { values } = parseArgs({ options: { only: text, folders: text, files: text, verbose: flag } })
const FILES = Number(values.files ?? 150)
const folders = values.folders?.split(',')

const plain = (name) =>
  name
    .replace(/^[*&~]+/, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\w)operator (?=\W)/, 'operator')
    .replace(/ (?=[*&])/g, '')
    .trim()

/**
 * Whether a section of this name contains the definition's line. Definitions without a canonical name (headings and
 * rules are written in many ways) are matched by line.
 */
function isThere(sections, { name, line }, language) {
  if (language === 'markdown' || name === undefined)
    return sections.some(({ startLine }) => startLine === line)
  const wanted = plain(name)
  return sections.some(({ name: own, startLine, endLine }) => {
    const isNamed =
      plain(own) === wanted || plain(own).endsWith(`::${wanted}`) || own.split(/[^\w$-]+/).includes(wanted)
    return isNamed && (line === undefined || (startLine - 2 <= line && line <= endLine))
  })
}

const share = (found, all) => (all === 0 ? '-' : `${((100 * found) / all).toFixed(1)} %`)
const column = ([found, wanted]) => `${share(found, wanted).padStart(7)} of ${String(wanted).padEnd(6)}`

function measured(grammar, language, files, answers) {
  const counts = { top: [0, 0], member: [0, 0], test: [0, 0] }
  let large = 0
  for (const [index, { path, content }] of files.entries()) {
    const definitions = answers[index]
    if (definitions === undefined) continue
    const outline = grammar.outline(content, {}, language)
    if (Buffer.byteLength(outline.text) > Buffer.byteLength(content) / 2) {
      large++
      if (values.verbose) console.log(`  large ${path}`)
    }
    for (const definition of definitions) {
      const count = counts[definition.rank]
      const isFound = isThere(outline.sections, definition, language)
      count[0] += Number(isFound)
      count[1]++
      if (!isFound && values.verbose)
        console.log(`  ${definition.rank} ${definition.name} ${path}:${definition.line}`)
    }
  }
  return { counts, large }
}

const languages = (values.only?.split(',') ?? outlineLanguages).filter((language) => language in ORACLES)
let all = 0
console.log('language    files      top              members          tests            over half')
for (const language of languages) {
  const grammar = await loadGrammar(language === 'markdown' ? 'text' : language)
  const files = filesOf(language, { most: FILES, folders })
  const answers = ORACLES[language](files)
  if (answers === undefined) {
    console.log(language.padEnd(11), 'its parser is not installed')
    continue
  }
  const read = answers.filter((answer) => answer !== undefined).length
  const { counts, large } = measured(grammar, language, files, answers)
  all += read
  const columns = [counts.top, counts.member, counts.test].map(column)
  console.log(language.padEnd(11), String(read).padStart(5), ...columns, String(large).padStart(5))
}
console.log(`${all} files`)
