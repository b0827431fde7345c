// Writes docs/reference/api: a page per entry, from its declarations.
import { exampleIndex } from './examples.mjs'
import { surface } from './surface.mjs'

const FENCE = '```'
const pageOf = (entry) => `${entry.replace('trimtab/', '').replaceAll('/', '-')}.md`
const note = '<!-- Written by `npm run docs` from the declarations: edit the doc comments. -->\n'

const titleOf = (page) => page.replace(/^docs\//, '').replace(/\.md$/, '')

/** Returns the entry that describes each export: the first one that has it. */
function homes(modules) {
  const map = new Map()
  for (const { name, exports } of modules)
    for (const each of exports) if (!map.has(each.symbol)) map.set(each.symbol, name)
  return map
}

function tagLines(tags) {
  const params = tags
    .filter(({ name }) => name === 'param')
    .map(({ text }) => `- ${text.replace(/^(\S+)\s+(- )?/, '`$1`: ')}`)
  const throws = tags
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => `Throws ${text.replace(/^\{?TrimtabError\}? ?/, '`TrimtabError`: ')}`)
  const returns = tags.filter(({ name }) => name === 'returns').map(({ text }) => `Returns ${text}`)
  return [params.join('\n'), ...returns, ...throws].filter((text) => text !== '')
}

function examplesOf(each, pages) {
  const inComment = each.tags
    .filter(({ name }) => name === 'example')
    .map(({ text }) => `${FENCE}typescript\n${text.replace(/^```\w*\n|\n```$/g, '')}\n${FENCE}`)
  const links = pages.map(
    (page) => `[${titleOf(page)}](${page === 'README.md' ? '../../../README.md' : `../../${page.slice(5)}`})`,
  )
  return [...inComment, ...(links.length === 0 ? [] : [`Used in ${links.join(', ')}.`])]
}

function section(each, pages) {
  const code = `${FENCE}typescript\n${each.declarations.join('\n')}\n${FENCE}`
  return [`### ${each.name}`, each.doc, ...tagLines(each.tags), code, ...examplesOf(each, pages)]
    .filter((text) => text !== '')
    .join('\n\n')
}

const pointer = (each, home) => `- \`${each.name}\`: [${home}](${pageOf(home)}#${each.name.toLowerCase()})`

const GROUPS = [
  ['Functions', 'function'],
  ['Classes', 'class'],
  ['Constants', 'constant'],
  ['Types', 'type'],
]

function page({ name, exports }, home, examples) {
  const own = exports.filter((each) => home.get(each.symbol) === name)
  const groups = GROUPS.map(([title, kind]) => [title, own.filter((each) => each.kind === kind)]).filter(
    ([, list]) => list.length > 0,
  )
  const sections = groups.map(
    ([title, list]) =>
      `## ${title}\n\n${list.map((each) => section(each, examples.get(`${name} ${each.name}`) ?? [])).join('\n\n')}`,
  )
  const others = exports.filter((each) => home.get(each.symbol) !== name)
  const also =
    others.length === 0
      ? []
      : [`## Also here\n\n${others.map((each) => pointer(each, home.get(each.symbol))).join('\n')}`]
  return `${note}\n# ${name}\n\n${[...sections, ...also].join('\n\n')}\n`
}

function index(modules) {
  const row = ({ name, exports }) => {
    const count = (kind) => exports.filter((each) => each.kind === kind).length
    return `| [${name}](${pageOf(name)}) | ${exports.length - count('type')} | ${count('type')} |`
  }
  const head = '| entry | values | types |\n| --- | ---: | ---: |'
  return `${note}\n# API\n\nEvery export of every entry, from its declaration.\n\n${head}\n${modules.map(row).join('\n')}\n`
}

/** @returns {Map<string, string>} path to content */
export function apiReference() {
  const modules = surface()
  const home = homes(modules)
  const examples = exampleIndex()
  const folder = 'docs/reference/api'
  return new Map([
    [`${folder}/README.md`, index(modules)],
    ...modules.map((module) => [`${folder}/${pageOf(module.name)}`, page(module, home, examples)]),
  ])
}
