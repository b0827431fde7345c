import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'
import { Context, cacheAware } from 'trimtab'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tsc } from '../../scripts/lib/project.mjs'

const ROOT = new URL('../..', import.meta.url).pathname
const WORK = join(ROOT, 'tests/.work/docs')

interface Block {
  file: string
  language: string
  code: string
  path: string
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
]
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const blocks: Block[] = documents.flatMap((file) =>
  [...textOf(file).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match, i) => ({
    file,
    language: match[1] as string,
    code: match[2] as string,
    path: join(WORK, `${file.replace(/\W/g, '-')}-${i}.${match[1]}`),
  })),
)
const inLanguage = (language: string) => blocks.filter((block) => block.language === language)
const runnable = [...inLanguage('ts'), ...inLanguage('js')]

/** A command or program for a project that has the package, with the paths of the package itself. */
const ofThisFolder = (text: string) => text.replaceAll('node_modules/trimtab/', '')

const programOf = (block: Block) => block.path.replace(/ts$/, 'js')

function javaScriptOf({ language, code }: Block): string {
  const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 }
  const program = language === 'js' ? code : ts.transpileModule(code, { compilerOptions }).outputText
  return ofThisFolder(program)
}

/** The program with each `console.log(...) // output` replaced by `record(place, 'output', ...)`. */
function recordingOf(program: string): string {
  return program.replace(
    /\bconsole\.log\((.*\));? \/\/ (.+)$/gm,
    (_, call: string, comment: string, at: number) =>
      `globalThis.record(${at}, ${JSON.stringify(comment)}, ${call}`,
  )
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A comment with the output: `...` stands for any text. */
const patternOf = (comment: string) =>
  new RegExp(
    `^${comment
      .split('...')
      .map((text) => escaped(text))
      .join('.*')}$`,
  )

beforeAll(() => {
  mkdirSync(WORK, { recursive: true })
  // The hosts of plugins are not installed: the stand-ins have the types that the guide uses.
  cpSync(join(ROOT, 'tests/fixtures/plugin-hosts'), join(WORK, 'node_modules'), { recursive: true })
  for (const block of inLanguage('ts')) writeFileSync(block.path, block.code)
  for (const block of runnable) writeFileSync(programOf(block), recordingOf(javaScriptOf(block)))
})

afterAll(() => rmSync(WORK, { recursive: true, force: true }))

test('every code block is in a language that is checked here', () => {
  expect([...new Set(blocks.map((block) => block.language))].sort()).toEqual([
    'js',
    'sh',
    'text',
    'ts',
    'typescript',
  ])
})

test('every TypeScript block typechecks', () => {
  const modules = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,esnext.disposable']
  // The types of a project on Node.
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node', ...modules]
  const paths = inLanguage('ts').map((block) => block.path)
  const { stdout, status } = spawnSync(tsc, [...options, ...paths], { cwd: ROOT, encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})

describe.each(runnable.map((block) => [block.file, block] as const))('the example in %s', (_, block) => {
  test('prints what its comments say', async () => {
    const printed = new Map<number, { comment: string; texts: string[] }>()
    const record = (at: number, comment: string, ...values: unknown[]) => {
      const text = formatWithOptions({ breakLength: Number.POSITIVE_INFINITY }, ...values)
      const { texts } = printed.get(at) ?? { texts: [] }
      printed.set(at, { comment, texts: [...texts, text.replace(/\s+/g, ' ').trim()] })
    }
    Object.assign(globalThis, { record })
    await import(pathToFileURL(programOf(block)).href)
    for (const { comment, texts } of printed.values()) expect(texts.join(', ')).toMatch(patternOf(comment))
  })
})

test('the agent loop runs a turn', async () => {
  const block = inLanguage('ts').find((block) => block.file === 'docs/start/first-agent.md') as Block
  const { runTurn } = await import(pathToFileURL(block.path.replace(/ts$/, 'js')).href)
  const sent: { content: string }[][] = []
  const call = (i: number) => ({ id: `c${i}`, type: 'function', function: { name: 'bash', arguments: '{}' } })
  const model = async (messages: { content: string }[]) => {
    sent.push(messages)
    return sent.length < 9
      ? { role: 'assistant', content: '', tool_calls: [call(sent.length)] }
      : { role: 'assistant', content: 'Done.' }
  }
  const tool = async () => 'output\n'.repeat(1000)
  const kept = await runTurn(new Context(cacheAware()), [{ role: 'user', content: 'go' }], model, tool)
  expect(kept).toHaveLength(18)
  expect(kept.at(-1).content).toBe('Done.')
  const cleared = sent.map(
    (messages) => messages.filter((m) => m.content.startsWith('[cleared, 7000 chars; recall ')).length,
  )
  expect(cleared).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7])
})

const commands = inLanguage('sh').flatMap((block) => block.code.trim().split('\n'))

test.each(commands.filter((line) => line.startsWith('npx trimtab')))('the command runs: %s', (line) => {
  const words = ofThisFolder(line).split(' ').slice(2)
  const output = execFileSync('node', [join(ROOT, 'js/dist/cli/main.js'), ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(output.length).toBeGreaterThan(100)
})

test('commands and programs name files of the package where a project has them', () => {
  const files = /[\w./@-]+\.(?:jsonl|mjs|md)\b/g
  const named = [
    ...commands.flatMap((line) => line.match(files) ?? []),
    // A program names files of its own, too.
    ...runnable.flatMap(({ code }) => code.match(/[\w./@-]*examples\/[\w./@-]+/g) ?? []),
  ]
  const ours = named.filter((path) => existsSync(join(ROOT, ofThisFolder(path))))
  expect(ours.length).toBeGreaterThan(20)
  expect(ours.filter((path) => !path.startsWith('node_modules/trimtab/'))).toEqual([])
})

test.each(commands.filter((line) => line.startsWith('npm ')))('%s names a script of package.json', (line) => {
  if (line === 'npm install trimtab') return
  const [, script] = /^npm (?:run )?(\w+)/.exec(line) as unknown as [string, string]
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts).toHaveProperty(script)
})

test("the README's line for each framework occurs in the example program of that framework", () => {
  const rows = textOf('README.md').matchAll(
    /^\|[^|]*\| `(trimtab\/[\w-]+)` +\| `([^|]*)` (.*)\| `([^|]*)` +\|$/gm,
  )
  const lines = [...rows].map((row) => row.slice(1) as [string, string, string, string])
  expect(lines).toHaveLength(5)
  const programs = inLanguage('ts').map((block) => block.code)
  for (const [entry, line, others, recall] of lines) {
    const uses = line.match(/\w+: \[?(?:\w+\()?trim\.\w+|\w+\(trim\.\w+/) as RegExpMatchArray
    const needed = [...uses, recall, ...(others.match(/trim\.\w+/g) ?? [])]
    const program = programs.find((code) => code.includes(`from '${entry}'`) && code.includes(uses[0]))
    expect(needed.filter((text) => !program?.includes(text))).toEqual([])
  }
})

test('every picture is shown in a document', () => {
  const pictures = readdirSync(join(ROOT, 'docs/images'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.'))
    .map((name) => name.replaceAll('\\', '/'))
  expect(pictures.length).toBeGreaterThan(20)
  const shown = documents.map(textOf).join('\n')
  expect(pictures.filter((name) => !shown.includes(`/images/${name})`))).toEqual([])
})

describe.each(documents)('%s', (file) => {
  test('has no broken links', () => {
    const targets = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string)
    expect(targets.filter((target) => !target.startsWith('https:') && !leadsSomewhere(file, target))).toEqual(
      [],
    )
  })

  // CONTRIBUTING.md is for a checkout; the pictures are not packed.
  test.skipIf(file === 'CONTRIBUTING.md')('has no links to what is not in the package', () => {
    const targets = [...textOf(file).matchAll(/\]\((?!https:|#)([^)#\s]+)/g)].map((match) =>
      join(dirname(file), match[1] as string),
    )
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
    const isPacked = (target: string) =>
      target === 'README.md' || files.includes(target) || /^docs\/(?:.*\.md$|images\/|\w+\/?$)/.test(target)
    expect(targets.filter((target) => !isPacked(target))).toEqual([])
  })

  test('says so if it leads to what is in the repository alone', () => {
    const text = textOf(file)
    const isOutside = file === 'CONTRIBUTING.md' || text.includes('](../images/')
    if (isOutside) expect(text).toMatch(/not\s+in\s+the\s+package/)
  })

  test('has no table cell of more than 160 characters', () => {
    const rows = textOf(file)
      .split('\n')
      .filter((line) => line.startsWith('|'))
    const cells = rows.flatMap((row) => row.split('|').map((cell) => cell.trim()))
    expect(cells.filter((cell) => cell.length > 160)).toEqual([])
  })
})

/** Anchors of the headings, as GitHub and npm name them. */
function anchorsOf(file: string): string[] {
  const headings = textOf(file)
    .split('\n')
    .filter((line) => line.startsWith('#'))
  return headings.map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?]
  const target = path === '' ? file : join(dirname(file), path)
  return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor))
}

const decisions = documents.filter(
  (file) => file.startsWith('docs/decisions/') && !file.endsWith('README.md'),
)

test.each(decisions)('%s has its sections, names existing tests, and is listed in the index', (file) => {
  const text = textOf(file)
  expect(text).toMatch(/^# .*\n\nStatus: (?:accepted|replaced by \[[^\]]+\]\([^)]+\))\n\n## Context\n/)
  expect(text).toContain('\n\n## Decisions\n')
  const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])
  expect(headings.filter((heading) => heading !== 'Alternatives')).toEqual(['Context', 'Decisions', 'Tests'])
  const tests = [...text.slice(text.indexOf('\n## Tests\n')).matchAll(/`([^`]+)`/g)].map((match) => match[1])
  expect(tests.length).toBeGreaterThan(0)
  for (const test of tests) expect(existsSync(join(ROOT, test as string)), test).toBe(true)
  expect(textOf('docs/decisions/README.md')).toContain(`](${basename(file)})`)
})
