import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname
const WORK = join(ROOT, 'tests/.work/docs')

/** What the documents' agent loop imports: the host's own types. */
const AGENT = `
export interface AgentMessage {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
  metadata?: { ephemeral: boolean }
}
export type Model = (messages: AgentMessage[]) => Promise<AgentMessage>
export type Tools = (call: NonNullable<AgentMessage['tool_calls']>[number]) => Promise<AgentMessage>
`

interface Block {
  file: string
  language: string
  code: string
  path: string
}

const documents = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const blocks: Block[] = documents.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match, i) => ({
    file,
    language: match[1] as string,
    code: match[2] as string,
    path: join(WORK, `${file.replace(/\W/g, '-')}-${i}.ts`),
  })),
)
const inLanguage = (language: string) => blocks.filter((block) => block.language === language)

beforeAll(() => {
  mkdirSync(WORK, { recursive: true })
  writeFileSync(join(WORK, 'agent.ts'), AGENT)
  for (const block of inLanguage('ts')) {
    writeFileSync(block.path, block.code)
    const options = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 }
    writeFileSync(
      block.path.replace(/ts$/, 'js'),
      ts.transpileModule(block.code, { compilerOptions: options }).outputText,
    )
  }
})

afterAll(() => rmSync(WORK, { recursive: true, force: true }))

test('every code block is of a kind that is checked here', () => {
  expect([...new Set(blocks.map((block) => block.language))].sort()).toEqual(['sh', 'text', 'ts'])
})

test('every TypeScript block typechecks', () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
    // What a project on Node has.
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  }
  const program = ts.createProgram(
    inLanguage('ts').map((block) => block.path),
    options,
  )
  const problems = ts.getPreEmitDiagnostics(program)
  expect(problems.map((problem) => ts.flattenDiagnosticMessageText(problem.messageText, '\n'))).toEqual([])
})

describe.each(inLanguage('ts').map((block) => [block.file, block] as const))(
  'TypeScript in %s',
  (_, block) => {
    test('runs', async () => {
      await import(pathToFileURL(block.path.replace(/ts$/, 'js')).href)
    })
  },
)

test('the agent loop runs a turn', async () => {
  const block = inLanguage('ts').find((block) => block.code.includes('runTurn')) as Block
  const { runTurn } = await import(pathToFileURL(block.path.replace(/ts$/, 'js')).href)
  const sent: { content: string }[][] = []
  const call = (i: number) => ({ id: `c${i}`, type: 'function', function: { name: 'bash', arguments: '{}' } })
  const model = async (messages: { content: string }[]) => {
    sent.push(messages)
    return sent.length < 9
      ? { role: 'assistant', content: '', tool_calls: [call(sent.length)] }
      : { role: 'assistant', content: 'Done.' }
  }
  const tools = async ({ id }: { id: string }) => ({
    role: 'tool',
    tool_call_id: id,
    content: 'output\n'.repeat(1000),
  })
  const kept = await runTurn([{ role: 'user', content: 'go' }], model, tools)
  expect(kept).toHaveLength(18)
  expect(kept.at(-1).content).toBe('Done.')
  const cleared = sent.map(
    (messages) => messages.filter((m) => m.content.startsWith('[cleared, 7000 chars; recall ')).length,
  )
  expect(cleared).toEqual([0, 0, 0, 2, 2, 4, 4, 6, 6])
})

const commands = inLanguage('sh').flatMap((block) => block.code.trim().split('\n'))

test.each(commands.filter((line) => line.startsWith('npx trimtab')))('%s', (line) => {
  const words = line.split(' ').slice(2)
  const output = execFileSync('node', [join(ROOT, 'js/dist/cli/main.js'), ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(output.length).toBeGreaterThan(100)
})

test.each(commands.filter((line) => line.startsWith('npm ')))('%s is a script', (line) => {
  const [, script] = /^npm (?:run )?(\w+)/.exec(line) as unknown as [string, string]
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts).toHaveProperty(script)
})
