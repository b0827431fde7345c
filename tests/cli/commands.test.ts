import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Context,
  cacheAware,
  clearOldToolUses,
  inspect,
  type Policy,
  project,
  rollingContext,
  smartRetention,
} from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { afterAll, describe, expect, test } from 'vitest'
import { Progress } from '../../js/dist/cli/progress.js'
import { problems } from '../node/oracle.js'
import { FORMATS } from '../node/write.js'
import { fixture, messageFiles, realSessions, sampleFile } from '../transcripts/files.js'
import { problemsOf } from '../transcripts/validity.js'
import { program, trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// One file of each kind: the readers have their own tests for the rest, and each process takes time.
const oneOfEachKind = [
  'anthropic.json',
  'claude-code.jsonl',
  'cline.json',
  'codex.jsonl',
  'openai.json',
  'pi.jsonl',
  'swe-agent.traj',
]
const plain = messageFiles()
const sessions = [...oneOfEachKind.map(fixture), ...realSessions()]
/** Policies of the preset names, in the order of the output. */
const PRESETS: Record<string, Policy> = {
  off: {},
  ephemeral: { ephemeral: true },
  dedupe: { dedupe: true },
  'smart-retention': smartRetention(),
  'clear-old-tool-uses': clearOldToolUses(),
  'cache-aware': cacheAware(),
  'rolling-context': rollingContext(),
  'rolling-context+dedupe': { ...rollingContext(), dedupe: true },
}
const packageVersion = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Fields that this test compares itself; the key lists below cover the others. */
interface Summary {
  kind: string
  messages: number
  tokens: { total: number }
  toolResults: { tokens: number }[]
  largestResults: { tokens: number }[]
  unansweredCalls: { tool: string }[]
  skipped: { count: number; reasons: { count: number }[] }
  policies: {
    name: string
    tokens: number
    percent: number
    edits: number
    firstChangedMessage: number | null
  }[]
}

function summaryOf(args: readonly string[]): Summary {
  const { stdout, stderr, status } = trimtab(['inspect', ...args, '--json'])
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return JSON.parse(stdout) as Summary
}

describe('help and version', () => {
  const cases: [string[], RegExp][] = [
    [[], /Usage/],
    [['--help'], /Usage/],
    [['-h'], /Usage/],
    [['help'], /Usage/],
    [['help', 'project'], /^trimtab project FILE/],
    [['inspect', '--help'], /^trimtab inspect FILE/],
    [['project', '-h'], /^trimtab project FILE/],
    [['--version'], new RegExp(`^${packageVersion.replaceAll('.', '\\.')}\n$`)],
  ]

  test.each(cases)('arguments %j print the expected text in 80 columns', (args, text) => {
    const { status, stdout, stderr } = trimtab(args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(text)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('the program file is executable and has a shebang line', () => {
    expect(readFileSync(program, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    expect(statSync(program).mode & 0o111).toBe(0o111)
  })
})

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length))
}

describe('inspect', () => {
  test.each([...sessions, ...plain])(
    'prints $name in 80 columns, without colour, with all sections',
    ({ path }) => {
      const { status, stdout, stderr } = trimtab(['inspect', path])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(widest(stdout)).toBeLessThanOrEqual(80)
      expect(stdout).not.toContain('\u001b')
      expect(stdout).toContain('Tokens by kind')
      expect(stdout).toContain('What each policy would leave')
    },
  )

  test('content that no policy changes has a section of its own', () => {
    const result = { type: 'web_fetch_tool_result', tool_use_id: 's', content: 'a long page '.repeat(500) }
    const use = { type: 'server_tool_use', id: 's', name: 'web_fetch', input: {} }
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [use, result] },
    ]
    const { stdout } = trimtab(['inspect', '-'], { input: JSON.stringify(messages) })
    expect(stdout).toMatch(
      /Kept by every policy\n +type .*\n +web_fetch_tool_result +1 +~[\d,]+ +later texts cite it\n/,
    )
    expect(trimtab(['inspect', sampleFile]).stdout).not.toContain('Kept by every policy')
    const json = JSON.parse(trimtab(['inspect', '-', '--json'], { input: JSON.stringify(messages) }).stdout)
    expect(json.fixed).toEqual(inspect(messages).fixed)
  })

  test.each(sessions)(
    'prints the same numbers for $name with --json as the functions return',
    ({ path, text, name }) => {
      const summary = summaryOf([path])
      const transcript = readTranscript(text, { name })
      const facts = inspect(transcript.messages, { format: transcript.format })
      const system = summary.tokens.total - facts.tokens.total
      expect(system).toBe(
        transcript.system === undefined ? 0 : Math.ceil(Buffer.byteLength(transcript.system) / 3.5),
      )
      expect(summary.messages).toBe(transcript.messages.length)
      expect(summary.skipped.count).toBe(transcript.skipped.reduce((sum, { count }) => sum + count, 0))
      const { report } = project(transcript.messages, rollingContext(), { format: transcript.format })
      const rolling = summary.policies.find((policy) => policy.name === 'rolling-context')
      expect(rolling?.tokens).toBe(report.tokensAfter + system)
      expect(rolling?.firstChangedMessage).toBe(report.firstChangedIndex)
      expect(summary.policies.find((policy) => policy.name === 'off')).toMatchObject({
        tokens: summary.tokens.total,
        percent: 100,
        edits: 0,
      })
    },
  )

  test('prints a fixed set of keys with --json', () => {
    const summary = summaryOf([sampleFile]) as unknown as Record<string, unknown>
    expect(Object.keys(summary)).toEqual([
      'file',
      'kind',
      'format',
      'title',
      'messages',
      'steps',
      'tokenEstimate',
      'tokens',
      'reportedTokens',
      'toolResults',
      'largestResults',
      'repeatedReads',
      'supersededReads',
      'fixed',
      'unansweredCalls',
      'orphanResults',
      'skipped',
      'policies',
    ])
    const [largest] = summary.largestResults as object[]
    expect(Object.keys(largest ?? {})).toEqual([
      'message',
      'block',
      'tool',
      'origin',
      'path',
      'startLine',
      'endLine',
      'command',
      'tokens',
      'lines',
      'argument',
    ])
    const [policy] = summary.policies as object[]
    expect(Object.keys(policy ?? {})).toEqual([
      'name',
      'policy',
      'tokens',
      'percent',
      'edits',
      'firstChangedMessage',
      'passes',
    ])
  })

  test('reports every kind of finding for the sample session', () => {
    const { kind, policies, unansweredCalls, largestResults, toolResults, tokens } = summaryOf([sampleFile])
    expect(kind).toBe('claude-code')
    expect(policies.map(({ name }) => name)).toEqual(Object.keys(PRESETS))
    expect(unansweredCalls).toMatchObject([{ tool: 'Bash' }])
    expect(largestResults).toHaveLength(10)
    expect(
      largestResults.every(
        ({ tokens: size }, index) => index === 0 || size <= (largestResults[index - 1]?.tokens ?? 0),
      ),
    ).toBe(true)
    expect(toolResults.reduce((sum, { tokens: part }) => sum + part, 0)).toBeLessThanOrEqual(tokens.total)
    expect(policies.find(({ name }) => name === 'dedupe')).toMatchObject({ edits: 1 })
    expect(policies.find(({ name }) => name === 'rolling-context')?.percent).toBeLessThan(80)
    const { stdout } = trimtab(['inspect', sampleFile])
    for (const part of [
      'Repeated reads',
      '1 unanswered call',
      '6 lines skipped',
      '  line ',
      'superseded',
      'prompt cache',
    ])
      expect(stdout).toContain(part)
  })

  test('accepts presets and files as --policy', () => {
    const file = join(folder, 'young.json')
    writeFileSync(file, '{"age":{"maxToolOutputAge":1,"preserveRecentFiles":false}}')
    const { policies } = summaryOf([sampleFile, '--policy', 'off', '--policy', file])
    expect(policies.map(({ name }) => name)).toEqual(['off', file])
    expect(policies[1]?.percent).toBeLessThan(60)
  })

  test('a policy file may have settings of other agents, and those without effect are reported', () => {
    const file = join(folder, 'agents.config.json')
    writeFileSync(file, '{"contextManagement":{"enabled":true,"maxToolOutputAge":1},"theme":"dark"}')
    const { stdout, stderr } = trimtab(['project', sampleFile, '--policy', file])
    expect(stdout).toContain('[cleared ')
    expect(stderr).toBe(`trimtab: ${file}: without effect: theme\n`)
  })

  test('shows call arguments that are neither path nor command, in every format', () => {
    const files = ['openai-responses.json', 'ai-sdk.json', 'ai-sdk-ui.json', 'langchain.json']
    const wish = JSON.stringify({ wish: 'warmth' })
    for (const { name, text } of plain.filter((file) => files.includes(file.name))) {
      // Replaces the arguments of all calls by ones without a path or command.
      const changed = text
        .replaceAll('{ "path": "logs/north.log" }', wish)
        .replaceAll('{\\"path\\":\\"logs/north.log\\"}', wish.replaceAll('"', '\\"'))
      const { stdout } = trimtab(['inspect', '-'], { input: changed })
      expect(stdout, name).toContain(wish)
    }
  })

  test('--explain says why each block of a message is kept or edited', () => {
    const { stdout } = trimtab(['inspect', sampleFile, '--explain', '3', '--policy', 'rolling-context'])
    expect(stdout).toMatch(/^Message 3 under rolling-context\n +block +what +tokens +now +why\n/)
    const json = JSON.parse(trimtab(['inspect', sampleFile, '--explain', '3', '--json']).stdout)
    expect(json).toMatchObject({ message: 3, policy: 'cache-aware' })
    expect(json.blocks[0]).toMatchObject({ block: 0, pass: null })
    for (const wrong of ['-1', 'x', '1.5', '99999999']) {
      const { status, stderr } = trimtab(['inspect', sampleFile, `--explain=${wrong}`])
      expect(status).toBe(2)
      expect(stderr).toMatch(/messages are counted from 0 to \d+/)
    }
  })

  test('--explain wraps long reasons instead of truncating them', () => {
    const { stdout } = trimtab(['inspect', sampleFile, '--explain=20', '--policy', 'smart-retention'])
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(stdout).not.toContain('…')
    expect(stdout.replace(/\s+/g, ' ')).toContain('reads: the first read of these lines shows the same')
  })

  test('--help describes every command in 80 columns', () => {
    const help = trimtab(['--help']).stdout
    for (const command of ['inspect', 'project', 'simulate', 'tune', 'why', 'outline', 'read', 'init']) {
      const own = trimtab([command, '--help']).stdout
      const [first = ''] = own.split('\n')
      const [syntax = '', does = ''] = first.replace(/^trimtab /, '').split(': ')
      expect(help.split('\n').map((line) => line.trim().replace(/ {2,}/, ': '))).toContain(
        `${syntax}: ${does}`,
      )
      expect(own.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('help of an unknown command fails and suggests a similar one', () => {
    const { status, stderr } = trimtab(['help', 'inspct'])
    expect([status, stderr]).toEqual([
      2,
      'trimtab: unknown command inspct; did you mean inspect?; see trimtab --help\n',
    ])
  })

  test('reads standard input', () => {
    const { stdout } = trimtab(['inspect', '-'], { input: readFileSync(sampleFile, 'utf8') })
    expect(stdout).toContain('Claude Code session standard input')
  })

  test('reads UTF-16', () => {
    const file = join(folder, 'utf16.json')
    writeFileSync(file, Buffer.from('\ufeff[{"role":"user","content":"Hei p\u00e5 deg"}]', 'utf16le'))
    expect(summaryOf([file])).toMatchObject({ kind: 'openai-chat-messages', messages: 1 })
  })

  test('prints no control characters of a file to the terminal', () => {
    const file = join(folder, 'escape.json')
    const name = `\u001b[31mred\u0007\u202e${'\u7aaf'.repeat(60)}`
    const call = {
      id: 'a',
      type: 'function',
      function: { name, arguments: JSON.stringify({ path: '/x\u001b]0;t\u0007\ny' }) },
    }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ]
    writeFileSync(file, JSON.stringify(messages))
    const { stdout } = trimtab(['inspect', file])
    const wide = stdout.split('\n').map((line) => line.length + (line.match(/\u7aaf/gu)?.length ?? 0))
    expect(Math.max(...wide)).toBeLessThanOrEqual(80)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not have these
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('--full-history includes messages before a compaction', () => {
    const compacted = fixture('claude-code-compacted.jsonl').path
    expect(summaryOf([compacted]).messages).toBe(4)
    expect(summaryOf([compacted, '--full-history']).messages).toBe(8)
  })
})

describe('project', () => {
  test.each(['claude-code', 'codex', 'pi', 'swe-agent', 'saved-session'])(
    '--to %s writes a session file of that kind with the view',
    (kind) => {
      const file = join(folder, `session-${kind}`)
      const args = ['--policy', 'off', '--to', kind, '--out', file]
      const { status, stderr } = trimtab(['project', sampleFile, ...args])
      expect([status, stderr.includes('title of the session')]).toEqual([0, /codex|swe/.test(kind)])
      const summary = summaryOf([file])
      expect(summary.kind).toBe(kind)
      expect(summary.toolResults.slice(1)).toEqual(summaryOf([sampleFile]).toolResults.slice(1))
      // These agents send a result for a call that was never answered.
      const results = kind === 'codex' || kind === 'pi' ? 12 : 11
      expect(summary.toolResults[0]).toMatchObject({ tool: 'Bash', results })
    },
  )

  const formats = ['openai-chat', 'anthropic'] as const
  const cases = sessions.flatMap((session) => formats.map((format) => ({ ...session, format })))

  test.each(cases)('converts $name to valid $format', ({ path, format }) => {
    const { status, stdout, stderr } = trimtab([
      'project',
      path,
      '--policy',
      'rolling-context+dedupe',
      '--to',
      format,
    ])
    expect(status).toBe(0)
    expect(stderr).toMatch(/^(?:trimtab: [^\n]+\n)*$/)
    expect(problemsOf(JSON.parse(stdout) as object[], format)).toEqual([])
  })

  // The pairing of files and formats does not matter here: conversion has its own tests.
  test.each(FORMATS.map((format, index) => ({ format, path: plain[index]?.path ?? '' })))(
    'converts messages of $path to valid $format',
    ({ format, path }) => {
      const { status, stdout } = trimtab(['project', path, '--policy', 'rolling-context', '--to', format])
      expect(status).toBe(0)
      expect(problems(JSON.parse(stdout) as object[], format)).toEqual([])
    },
  )

  test.each(plain)('prints $name unchanged in its own format with --policy off', ({ path, text }) => {
    const { stdout } = trimtab(['project', path, '--policy', 'off', '--with-system'])
    const { messages, system } = readTranscript(text)
    const expected = { messages, system: system ?? null }
    const printed = JSON.parse(stdout) as { messages: object[]; system: string | null }
    // A separate system prompt becomes the first message if the format has a place for it.
    const isInside = system !== undefined && printed.system === null
    expect(isInside ? printed.messages.slice(1) : printed.messages).toEqual(expected.messages)
    expect(isInside ? JSON.stringify(printed.messages[0]) : printed.system).toEqual(
      isInside ? expect.stringContaining(system) : expected.system,
    )
  })

  test.each(Object.entries(PRESETS))('--policy %s gives the same view as the function', (name, policy) => {
    const { messages } = readTranscript(readFileSync(sampleFile, 'utf8'))
    const view = project(messages, policy).messages
    expect(JSON.parse(trimtab(['project', sampleFile, '--policy', name]).stdout)).toEqual(
      JSON.parse(JSON.stringify(view)),
    )
  })

  test('uses the default policy of Context', () => {
    const named = trimtab(['project', sampleFile, '--policy', 'cache-aware']).stdout
    expect(trimtab(['project', sampleFile]).stdout).toBe(named)
    expect(new Context().policy).toEqual(cacheAware())
    for (const command of ['project', 'inspect'])
      expect(trimtab([command, '--help']).stdout).toMatch(/\(default(?: policy)?: cache-aware\)/)
  })

  test('prints one message per line', () => {
    const { stdout } = trimtab(['project', sampleFile, '--policy', 'off'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(JSON.parse(stdout).length + 2)
  })

  test('reports on standard error what a conversion loses', () => {
    const { stderr, status } = trimtab(['project', sampleFile, '--to', 'openai-chat'])
    expect(status).toBe(0)
    expect(stderr).toMatch(/trimtab: not carried over: reasoning \(4 times\), message \d+, .*\n/)
  })

  test('prints the system prompt with --with-system and warns when it is left out', () => {
    const cline = fixture('cline.json').path
    expect(trimtab(['project', cline]).stderr).toMatch(/--with-system/)
    const { stdout, stderr } = trimtab(['project', cline, '--with-system'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ system: 'Be brief.', messages: [{ role: 'user' }, {}, {}] })
    const chat = JSON.parse(trimtab(['project', cline, '--to', 'openai-chat']).stdout) as object[]
    expect(chat[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })

  test('--out replaces the file with the same bytes and leaves no temporary file', () => {
    const target = mkdtempSync(join(folder, 'out-'))
    const file = join(target, 'view.json')
    writeFileSync(file, 'old')
    const { stdout, status } = trimtab(['project', sampleFile, '--out', file])
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    expect(readFileSync(file, 'utf8')).toBe(trimtab(['project', sampleFile]).stdout)
    expect(readdirSync(target)).toEqual(['view.json'])
  })
})

describe('output streams', () => {
  test.skipIf(process.platform === 'win32')('a reader that closes the pipe early causes no error', () => {
    const command = `"${process.execPath}" "${program}" project "${sampleFile}" --policy off | head -c 20`
    const { stderr, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toHaveLength(20)
  })

  test('progress appears after one second, only on a terminal, and is cleared', () => {
    const written: string[] = []
    let now = 0
    const stream = { isTTY: true, write: (text: string) => written.push(text) }
    const progress = new Progress(stream, () => now)
    progress.update('reading', 1, 4)
    now = 900
    progress.update('reading', 2, 4)
    expect(written).toEqual([])
    now = 1100
    progress.update('reading', 3, 4)
    expect(written.join('')).toContain('reading')
    expect(written.join('')).toContain('75 %')
    progress.clear()
    expect(written.at(-1)).toBe('\r\u001b[2K')
    const quiet: string[] = []
    now = 0
    const piped = new Progress({ isTTY: false, write: (text: string) => quiet.push(text) }, () => now)
    now = 5000
    piped.update('reading', 1, 2)
    piped.clear()
    expect(quiet).toEqual([])
  })
})

describe('the sample session', () => {
  test('equals the output of its generator byte for byte', () => {
    const file = join(folder, 'session.jsonl')
    const generator = fileURLToPath(new URL('../../scripts/make-sample.mjs', import.meta.url))
    execFileSync(process.execPath, [generator, file])
    expect(readFileSync(file).equals(readFileSync(sampleFile))).toBe(true)
    expect(statSync(sampleFile).size).toBeGreaterThan(150_000)
    expect(statSync(sampleFile).size).toBeLessThan(250_000)
  })
})
