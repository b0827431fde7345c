import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { initCommand } from '../../js/dist/cli/init.js'
import { trimtab } from './run.js'

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
])('%s: lines of the guide, whose code is compiled and run', (title, entry, dependencies) => {
  const [install, , heading, , ...lines] = init(...dependencies)
    .trimEnd()
    .split('\n')
  expect([install, heading]).toEqual(['npm install trimtab', `${title}:`])
  expect(lines.join('\n')).toContain(`from '${entry}'`)
  const missing = lines.filter((line) => !guide.includes(line) && !line.startsWith('import { cacheAware }'))
  expect(missing).toEqual([])
})

test.each([
  ['openai', 'response.usage)'],
  ['@anthropic-ai/sdk', 'response.usage)'],
  ['@google/genai', 'response.usageMetadata)'],
])('%s: a loop of its own', (name, usage) => {
  expect(init(name, 'trimtab')).toContain(usage)
  expect(init(name, 'trimtab')).not.toContain('npm install')
})

test('without a framework it says so', () => {
  expect(init('left-pad')).toContain('No framework')
  expect(initCommand(manifest('{"devDependencies":{"ai":"7"}}'))).toContain('AI SDK')
})

test('a package.json that is none or is not there is a failure in words', () => {
  expect(() => initCommand(manifest('{'))).toThrow('cannot be read')
  expect(() => initCommand(join(folder, 'no.json'))).toThrow('there is no package.json')
})

test('as a command, which writes nothing', () => {
  init('ai')
  const { status, stdout } = trimtab(['init'], { cwd: folder })
  expect([status, stdout]).toEqual([0, init('ai')])
  expect(readdirSync(folder)).toEqual(['package.json'])
  expect(trimtab(['init', 'x'], { cwd: folder }).status).toBe(2)
  expect(trimtab(['init', '--help']).stdout).toContain('Nothing is written')
})
