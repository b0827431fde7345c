import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { initCommand } from '../../js/dist/cli/init.js'
import { trimtab } from './run.js'

/** In the project, so that packages are found. */
const WORK = new URL('../.work/init', import.meta.url).pathname
afterAll(() => rmSync(WORK, { recursive: true, force: true }))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const manifest = (content: string) => {
  const file = join(folder, 'package.json')
  writeFileSync(file, content)
  return file
}
const init = (...dependencies: string[]) =>
  initCommand(
    manifest(JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])) })),
  )
const guide = ['frameworks', 'plugins']
  .map((name) => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8'))
  .join('')

test.each([
  ['AI SDK', 'trimtab/ai-sdk', ['ai', 'openai']],
  ['LangChain', 'trimtab/langchain', ['langchain']],
  ['Mastra', 'trimtab/mastra', ['ai', '@mastra/core']],
  ['TanStack AI', 'trimtab/tanstack', ['@tanstack/ai']],
  ['OpenAI Agents', 'trimtab/openai-agents', ['@openai/agents', 'openai']],
  ['opencode, in .opencode/plugins/trimtab.ts', 'trimtab/opencode', ['@opencode-ai/plugin']],
  ['pi, in .pi/extensions/trimtab.ts', 'trimtab/pi', ['@earendil-works/pi-coding-agent']],
  ["Cline's SDK", 'trimtab/cline', ['@cline/shared', 'ai']],
  ['Claude Agent SDK', 'trimtab/claude-agent', ['@anthropic-ai/claude-agent-sdk', '@anthropic-ai/sdk']],
  ['Copilot SDK', 'trimtab/copilot', ['@github/copilot-sdk']],
])('init for %s prints lines of the guide with complete imports', (title, entry, dependencies) => {
  const [install, , heading, , ...rest] = init(...dependencies)
    .replace(PATIENCE, '')
    .trimEnd()
    .split('\n')
  const lines = rest.filter((line) => !PLACE.test(line))
  expect([install, heading]).toEqual(['npm install trimtab', `${title}:`])
  expect(lines.join('\n')).toContain(`from '${entry}'`)
  const missing = lines.filter((line) => !guide.includes(line) && !line.startsWith('import '))
  expect(missing).toEqual([])
  const own = importsIn(lines.join('\n'))
  const known = importsIn(guide)
  for (const [name, modules] of own) for (const module of modules) expect(known.get(name)).toContain(module)
  const used = new Set(lines.join('\n').match(/\b\w+/g))
  const lacking = [...used].filter((name) => known.has(name) && !own.has(name) && !OTHERS.has(name))
  expect(lacking).toEqual([])
})

/** Below the lines that use the default policy. */
const PATIENCE = /\n\ncacheAware\(\) clears nothing until .*\n.*rollingContext\(\).*/

/** Says where the lines after it belong. */
const PLACE = /^In the .*:$/

/** Variables of the application, in whose code the lines are pasted. */
const OWN = `
  const model = { specificationVersion: 'v4', provider: 'p', modelId: 'm', supportedUrls: {} }
  const tools = {}
  const messages = [{ role: 'user', content: 'go' }]
  const max_tokens = 10
  const create = async (request) => ({ usage: { prompt_tokens: 9, completion_tokens: 1 }, request })
  const client = {
    chat: { completions: { create } },
    messages: { create: async ({ messages }) => ({ usage: { input_tokens: 9, output_tokens: 1 }, messages }) },
    models: {
      generateContent: async ({ contents, config }) => {
        if (config.tools.length !== 1 || contents.length !== 1) throw new Error('it is no request')
        return { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } }
      },
    },
  }`

test.each([
  ['ai', true],
  ['langchain', true],
  ['@openai/agents', true],
  ['@tanstack/ai', true],
  ['openai', false],
  ['@anthropic-ai/sdk', false],
  ['@google/genai', false],
])('the lines for %s run where init says that they belong', async (name, isOptions) => {
  const [, top = '', inside = ''] = init(name, 'trimtab')
    .replace(PATIENCE, '')
    .split(/^.*:\n\n/m)
  const body = isOptions ? `return {\n${inside}}` : `${inside}return { tools }`
  // The loops have variables of the same name.
  const own = isOptions ? OWN : OWN.replace(/\n.*const tools.*/, '')
  const file = join(WORK, `${name.replace(/\W/g, '-')}.mjs`)
  mkdirSync(WORK, { recursive: true })
  writeFileSync(file, `${top}export async function made() {${own}\n${body}\n}\n`)
  const { made } = (await import(file)) as { made(): Promise<{ tools: object }> }
  expect(inspect((await made()).tools, { depth: 4 })).toMatch(/\brecall\b/)
})

type Projects = (messages: object[]) => { report: { tokensBefore: number; tokensAfter: number } }

/** 60 steps of one turn, each with signed thinking. */
const thinking = Array.from({ length: 60 }, (_, n) => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: `t${n}`, signature: `s${n}` },
      { type: 'tool_use', id: `c${n}`, name: 'bash', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: `w${n}\n`.repeat(1000) }] },
]).flat()

test.each(['cacheAware()', 'rollingContext()'])(
  'beside signed thinking %s of init clears',
  async (preset) => {
    const [, top = ''] = init('@anthropic-ai/sdk', 'trimtab').split(/^.*:\n\n/m)
    const lines = top.replace('{ cacheAware', '{ cacheAware, rollingContext').replace('cacheAware()', preset)
    const file = join(WORK, `thinking-${preset.slice(0, 4)}.mjs`)
    mkdirSync(WORK, { recursive: true })
    writeFileSync(file, `${lines}export const project = (messages) => context.project(messages)\n`)
    const { project } = (await import(file)) as { project: Projects }
    let report = { tokensBefore: 0, tokensAfter: 0 }
    for (let steps = 1; steps <= 60; steps++)
      report = project([{ role: 'user', content: 'go' }, ...thinking.slice(0, 2 * steps)]).report
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2)
  },
)

test('init prints the lines for each client of a provider', () => {
  const all = init('@google/genai', '@anthropic-ai/sdk', 'openai')
  const titles = [...all.matchAll(/^(\w+)'s client:$/gm)].map(([, name]) => name)
  expect(titles).toEqual(['OpenAI', 'Anthropic', 'Google'])
  expect(all.match(/npm install|cacheAware\(\) clears/g)).toHaveLength(2)
  // An adapter does the work for the clients beside it.
  expect(init('ai', '@anthropic-ai/sdk')).not.toContain('client:')
})

/** Names that the guide imports, but that mean something else in these lines. */
const OTHERS = new Set(['model', 'policy'])

/**
 * Maps each name to the modules that a text imports it from. The guide names the module of Mastra's
 * `createTool` in prose.
 */
function importsIn(text: string): Map<string, string[]> {
  const imports = new Map([['createTool', ['@mastra/core/tools']]])
  for (const [, names = '', module = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm))
    for (const each of names.split(',')) {
      const name = each.replace(/^\s*type /, '').trim()
      imports.set(name, [...(imports.get(name) ?? []), module])
    }
  return imports
}

test.each([
  ['@mastra/core', '^0.24.9', 1],
  ['ai', '5.0.1', 6],
  ['langchain', '~0.3.2', 1],
])('init reports that %s %s is too old', (name, version, since) => {
  const of = (range: string) => initCommand(manifest(JSON.stringify({ dependencies: { [name]: range } })))
  expect(of(version)).toMatch(`This needs ${name} ${since} or later, and package.json has ${version}`)
  for (const range of [`^${since}.2.3`, '*', 'latest', 'workspace:*', `>=${since}`])
    expect(of(range)).not.toContain('This needs')
})

test.each([
  ['openai', 'response.usage)', "recallTool('openai-chat')"],
  ['@anthropic-ai/sdk', 'response.usage)', "recallTool('anthropic')"],
  ['@google/genai', 'response.usageMetadata)', "recallTool('gemini')"],
])('init for %s prints a loop that reports usage and answers recall', (name, usage, recall) => {
  expect(init(name, 'trimtab')).toContain(usage)
  expect(init(name, 'trimtab')).toContain(recall)
  expect(guide).toContain(recall)
  expect(init(name, 'trimtab')).not.toContain('npm install')
})

test('init for AI SDK 6 prints middlewareV3', () => {
  const of = (range: string) => initCommand(manifest(JSON.stringify({ dependencies: { ai: range } })))
  expect(of('^6.0.326')).toMatch(/^AI SDK 6:\n[\s\S]*middleware: trim\.middlewareV3 }\),$/m)
  expect(of('^7.0.1')).toContain('middleware: trim.middleware })')
})

test.each([
  ...['ai', 'langchain', 'deepagents', '@mastra/core', '@tanstack/ai', '@openai/agents', 'left-pad'],
  ...['openai', '@anthropic-ai/sdk', '@google/genai', '@opencode-ai/plugin', '@cline/sdk'],
  ...['@earendil-works/pi-coding-agent', '@anthropic-ai/claude-agent-sdk', '@github/copilot-sdk'],
])('what init prints for %s fits 80 columns', (name) => {
  const old = initCommand(manifest(JSON.stringify({ dependencies: { [name]: '^0.24.9' } })))
  const lines = `${init(name)}${old}`.split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

test('init explains that cacheAware() clears nothing at first', () => {
  for (const name of ['ai', 'openai', 'left-pad']) expect(init(name)).toMatch(PATIENCE)
  expect(init('@github/copilot-sdk')).not.toMatch(PATIENCE)
})

test('init reports when it finds no framework', () => {
  expect(init('left-pad')).toContain('No framework')
  expect(initCommand(manifest('{"devDependencies":{"ai":"7"}}'))).toContain('AI SDK')
})

test('init explains an invalid or missing package.json', () => {
  expect(() => initCommand(manifest('{'))).toThrow('cannot be read')
  expect(() => initCommand(join(folder, 'no.json'))).toThrow('there is no package.json')
})

test('trimtab init prints the lines and writes no file', () => {
  init('ai')
  const { status, stdout } = trimtab(['init'], { cwd: folder })
  expect([status, stdout]).toEqual([0, init('ai')])
  expect(readdirSync(folder)).toEqual(['package.json'])
  expect(trimtab(['init', 'x'], { cwd: folder }).status).toBe(2)
  expect(trimtab(['init', '--help']).stdout).toContain('Writes nothing')
})
