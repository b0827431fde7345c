import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleFile } from '../transcripts/files.js'
import { program, trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-cli-'))
const message = '{"role":"user","content":"Hi"}'

beforeAll(() => {
  const files: Record<string, string | Buffer> = {
    'empty.jsonl': '',
    'text.jsonl': 'hello\n',
    'broken.json': `[\n${message},\n{"role":"user" "content":"x"}\n]`,
    'other.json': '{"name":"kiln"}',
    'binary.jsonl': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]),
    'packed.jsonl': Buffer.from([0x1f, 0x8b, 8, 0]),
    'packed.zst': Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
    'line.jsonl': 'x'.repeat(1 << 20),
    'deep.json': '['.repeat(100_000) + ']'.repeat(100_000),
    'good.json': `[${message}]`,
    'alien.json': '[{"role":"alien","content":"x"}]',
    'mixed.json': `{"contents":[{"role":"model","parts":[{"text":"a"}]},${message},{"role":"tool","tool_call_id":"a","content":"x"}]}`,
    'odd.json': `{"messages":[{"role":"user","parts":[{"type":"text","text":"a"}]},{"role":"assistant","parts":[7]}]}`,
    'no-list.json': '{"contents":"Hi"}',
    'deep-input.json': `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{"d":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}]`,
    'list-policy.json': '[]',
    'broken-policy.json': '{\n"age": tru,\n}',
    'unknown-policy.json': '{"agee":{}}',
    'wrong-policy.json': '{"age":{"maxToolOutputAge":"five"}}',
    'new\nline.json': 'x',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  mkdirSync(join(folder, 'folder'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('invalid input: exit code 2 and a one-line error', () => {
  const cases: [string, string[], RegExp][] = [
    ['a missing file', ['inspect', 'no-such.jsonl'], /^trimtab: no-such\.jsonl: there is no such file$/],
    ['a directory', ['inspect', 'folder'], /^trimtab: folder: this is a directory$/],
    ['a file below a file', ['inspect', 'good.json/x'], /^trimtab: good\.json\/x: there is no such file$/],
    ['an empty file', ['inspect', 'empty.jsonl'], /^trimtab: empty\.jsonl: the file is empty$/],
    ['an empty file of requests', ['why', 'empty.jsonl'], /^trimtab: empty\.jsonl: the file is empty$/],
    ['plain text', ['inspect', 'text.jsonl'], /^trimtab: text\.jsonl, line 1: not valid JSON/],
    ['broken JSON', ['inspect', 'broken.json'], /^trimtab: broken\.json, line 3: not valid JSON/],
    [
      'messages of an unknown role',
      ['inspect', 'alien.json'],
      /^trimtab: alien\.json: there are no messages in it: .*role.*alien.* \(entry 1\)$/,
    ],
    [
      'a negative message',
      ['inspect', 'good.json', '--explain', '-1'],
      /^trimtab: --explain -1: messages are counted from 0 to 0$/,
    ],
    ['a negative life', ['simulate', 'good.json', '--ttl', '-5'], /^trimtab: --ttl -5: must be a number/],
    ['a negative share', ['tune', 'good.json', '--keep', '-1.5'], /^trimtab: --keep -1\.5: must be a number/],
    ['a negative count', ['why', 'good.json', '--most', '-1'], /^trimtab: --most -1: a whole number from 0/],
    ['a negative limit', ['read', 'good.json', '--limit', '-1'], /^trimtab: --limit -1: a whole number/],
    [
      'a negative policy',
      ['inspect', 'good.json', '--policy', '-1'],
      /^trimtab: --policy -1: neither a preset/,
    ],
    [
      'a number after a switch',
      ['inspect', 'good.json', '--json', '-5'],
      /^trimtab: Unknown option '-5'; see/,
    ],
    [
      'line 0',
      ['read', 'good.json', '--offset', '0'],
      /^trimtab: --offset 0: lines count from 1, and -N from the end$/,
    ],
    [
      'a question without an effect',
      ['read', 'good.json', '--about', 'x', '--mode', 'full'],
      /^trimtab: --about has no effect with --mode full$/,
    ],
    [
      'a question about a section',
      ['read', 'good.json', '--about', 'x', '--expand', '1'],
      /^trimtab: --about has no effect with --expand$/,
    ],
    [
      'messages of two formats',
      ['inspect', 'mixed.json'],
      /^trimtab: mixed\.json, entry 3: a message of OpenAI Chat among messages of Gemini \(entry 1\)$/,
    ],
    ['a message that cannot be read', ['project', 'odd.json'], /^trimtab: odd\.json: messages\[1\] /],
    [
      'a request whose messages are not a list',
      ['inspect', 'no-list.json'],
      /^trimtab: no-list\.json, line 1: .*"contents"/,
    ],
    [
      'JSON of unknown kind',
      ['inspect', 'other.json'],
      /^trimtab: other\.json, line 1: .* not a known session/,
    ],
    [
      'a binary file',
      ['project', 'binary.jsonl'],
      /^trimtab: binary\.jsonl, line 1: this is not a text file/,
    ],
    ['a gzip file', ['inspect', 'packed.jsonl'], /compressed \(gzip\)/],
    ['a zstd file', ['inspect', 'packed.zst'], /compressed \(zstd\)/],
    ['one line of 1 MB', ['inspect', 'line.jsonl'], /^trimtab: line\.jsonl, line 1: not valid JSON/],
    ['deep nesting', ['inspect', 'deep.json'], /^trimtab: deep\.json, entry 1: /],
    [
      'a deeply nested input that is written',
      ['project', 'deep-input.json'],
      /^trimtab: deep-input\.json: .*nested too deeply/,
    ],
    [
      'a deeply nested input that is converted',
      ['project', 'deep-input.json', '--to', 'openai-chat'],
      /^trimtab: deep-input\.json: message 0: /,
    ],
    ['a name with a line break', ['inspect', 'new\nline.json'], /^trimtab: new line\.json, line 1: /],
    ['an empty name', ['inspect', ''], /^trimtab: : there is no such file$/],
    ['no file argument', ['inspect'], /no file given/],
    ['two file arguments', ['inspect', 'good.json', 'other.json'], /other\.json is one too many/],
    ['an unknown command', ['inspct', 'good.json'], /unknown command inspct/],
    [
      'an unknown option',
      ['inspect', 'good.json', '--jsn'],
      /^trimtab: Unknown option '--jsn'; did you mean --json\?; see trimtab inspect --help$/,
    ],
    [
      'a misspelt option with a value',
      ['simulate', 'good.json', '--polcy=off'],
      /^trimtab: Unknown option '--polcy'; did you mean --policy\?; see/,
    ],
    [
      'an option like no other',
      ['outline', 'good.json', '--quiz'],
      /^trimtab: Unknown option '--quiz'; see trimtab outline --help$/,
    ],
    ['an unknown option without a command', ['--jsn'], /unknown option --jsn/],
    ['an option without its value', ['inspect', 'good.json', '--policy'], /--policy/],
    ['a value for a switch', ['inspect', 'good.json', '--json=yes'], /--json/],
    [
      'an unknown policy',
      ['inspect', 'good.json', '--policy', 'rolling'],
      /--policy rolling: neither a preset \(off, .*\) nor a file/,
    ],
    [
      'a directory as policy',
      ['project', 'good.json', '--policy', 'folder'],
      /^trimtab: folder: this is a directory$/,
    ],
    [
      'a policy that is a list',
      ['project', 'good.json', '--policy', 'list-policy.json'],
      /list-policy\.json: a policy must be a JSON object of settings/,
    ],
    [
      'a policy that is not JSON',
      ['project', 'good.json', '--policy', 'broken-policy.json'],
      /broken-policy\.json, line 2: not valid JSON/,
    ],
    [
      'a policy with an unknown setting',
      ['project', 'good.json', '--policy', 'unknown-policy.json'],
      /unknown-policy\.json: .*agee/,
    ],
    [
      'a policy with a wrong value',
      ['inspect', 'good.json', '--policy', 'wrong-policy.json'],
      /wrong-policy\.json: .*five/,
    ],
    [
      'an unknown format',
      ['project', 'good.json', '--to', 'openai'],
      /--to openai: no such format; there are openai-chat, anthropic, openai-responses, .*, langchain, claude-code, .*, saved-session$/,
    ],
    [
      'an output that is a directory',
      ['project', 'good.json', '--out', 'folder'],
      /--out folder: this is a directory/,
    ],
    [
      'an output in a missing directory',
      ['project', 'good.json', '--out', 'none/out.json'],
      /--out none\/out\.json: there is no such folder/,
    ],
  ]

  test.each(cases)('%s', (_name, args, line) => {
    const { status, stdout, stderr } = trimtab(args, { cwd: folder })
    expect(stderr).toMatch(/^trimtab: [^\n]{1,400}\n$/)
    expect(stderr.trimEnd()).toMatch(line)
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })

  test('standard input of unknown kind', () => {
    const { status, stderr, stdout } = trimtab(['inspect', '-'], { input: '{"a":1}\n{"b":2}\n' })
    expect(stderr).toMatch(/^trimtab: standard input, line 1: [^\n]+\n$/)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  })

  test.skipIf(process.getuid?.() === 0)('a file without read permission', () => {
    const file = join(folder, 'secret.jsonl')
    writeFileSync(file, message)
    chmodSync(file, 0)
    expect(trimtab(['inspect', file]).stderr).toMatch(/no permission\n$/)
  })

  test('a failed project command writes no file', () => {
    const target = join(folder, 'out')
    mkdirSync(target)
    const { status } = trimtab([
      'project',
      sampleFile,
      '--policy',
      join(folder, 'unknown-policy.json'),
      '--out',
      join(target, 'view.json'),
    ])
    expect(status).toBe(2)
    expect(readdirSync(target)).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux')(
  'special files neither block the program nor are read endlessly',
  () => {
    const pipe = join(folder, 'pipe')
    const server = createServer()
    beforeAll(() => {
      spawnSync('mkfifo', [pipe])
      symlinkSync('nothing', join(folder, 'dangling'))
      symlinkSync('looping', join(folder, 'looping'))
      symlinkSync('/dev/null', join(folder, 'to-device'))
      server.listen(join(folder, 'socket'))
    })
    afterAll(() => void server.close())
    const within = (args: readonly string[]) =>
      spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 20_000 })

    test.each([
      ['inspect', '/dev/zero'],
      ['project', '/dev/full'],
      ['read', '/dev/zero'],
      ['outline', '/dev/zero'],
      ['inspect', '/dev/zero', 'good.json', '--policy'],
      ['project', '/dev/full', 'good.json', '--policy'],
    ])('%s %s fails because the file is a device', (command, file, ...before) => {
      const { status, stderr } = within([command, ...before, file])
      expect([status, stderr]).toEqual([2, `trimtab: ${file}: this is a device, not a file\n`])
    })

    test.each([['inspect'], ['outline'], ['read'], ['read', '--mode', 'structure']])(
      '%s %s ends for a pipe without a writer',
      (...args) => {
        const { signal, status } = within([...args, pipe])
        expect(signal).toBeNull()
        expect(status).not.toBeNull()
      },
    )

    test.each([
      ['pipe', 'a pipe or a device, not a file'],
      ['socket', 'a pipe or a device, not a file'],
      ['dangling', 'a link that leads to nothing'],
      ['to-device', 'a pipe or a device, not a file'],
    ])('--out refuses a %s and leaves it in place', (name, reason) => {
      const file = join(folder, name)
      const { ino } = lstatSync(file)
      const { status, stderr } = within([
        'project',
        join(folder, 'good.json'),
        '--policy',
        'off',
        '--out',
        file,
      ])
      expect([status, stderr]).toEqual([2, `trimtab: --out ${file}: this is ${reason}\n`])
      expect(lstatSync(file).ino).toBe(ino)
    })

    test('--out writes through a symbolic link to its target', () => {
      writeFileSync(join(folder, 'target'), 'old')
      symlinkSync('target', join(folder, 'to-file'))
      within(['project', join(folder, 'good.json'), '--policy', 'off', '--out', join(folder, 'to-file')])
      expect(readFileSync(join(folder, 'target'), 'utf8')).toContain('"Hi"')
      expect(lstatSync(join(folder, 'to-file')).isSymbolicLink()).toBe(true)
    })

    test.each([['inspect'], ['project'], ['read'], ['outline'], ['simulate'], ['why'], ['tune']])(
      '%s fails with one line for a socket, a dangling link and a link loop',
      (command, ...more) => {
        for (const name of ['socket', 'dangling', 'looping']) {
          const { status, stderr } = within([command as string, join(folder, name), ...more])
          expect([name, status, stderr.split('\n').length]).toEqual([name, 2, 2])
          expect(stderr).toMatch(/a socket or a device, not a file|no such file|too many symbolic links/)
        }
      },
    )

    test('--policy fails with one line for a socket, a dangling link and a link loop', () => {
      for (const name of ['socket', 'dangling', 'looping']) {
        const { status, stderr } = within([
          'inspect',
          join(folder, 'good.json'),
          '--policy',
          join(folder, name),
        ])
        expect([name, status, stderr.split('\n').length]).toEqual([name, 2, 2])
        expect(stderr).toMatch(/a socket or a device, not a file|nor a file|too many symbolic links/)
      }
    })

    test('init fails without waiting when package.json is a pipe', () => {
      const cwd = join(folder, 'init')
      mkdirSync(cwd)
      spawnSync('mkfifo', [join(cwd, 'package.json')])
      const ran = spawnSync(process.execPath, [program, 'init'], { encoding: 'utf8', timeout: 20_000, cwd })
      expect(ran).toMatchObject({
        signal: null,
        status: 2,
        stderr: 'trimtab: package.json cannot be read as JSON\n',
      })
    })

    test('--policy reads at most 16 MB, also from a pipe', () => {
      const good = join(folder, 'good.json')
      expect(within(['inspect', good, '--policy', pipe])).toMatchObject({ signal: null, status: 2 })
      writeFileSync(join(folder, 'sparse'), '')
      truncateSync(join(folder, 'sparse'), 2 ** 40)
      const sparse = within(['inspect', good, '--policy', join(folder, 'sparse')])
      expect(sparse).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/more than 16 MB of data$/m),
      })
      const script = `(sleep 0.1; echo '{"dedupe":true}') > ${pipe} & sleep 0.05; "$@" ${pipe}; wait`
      const shell = ['-c', script, 'sh', process.execPath, program, 'inspect', good, '--policy']
      expect(spawnSync('sh', shell, { encoding: 'utf8', timeout: 20_000 })).toMatchObject({ status: 0 })
    })

    test('read waits for a slow writer of a pipe', () => {
      const script = `(echo one; sleep 0.3; echo two) > ${pipe} & sleep 0.05; "$@" ${pipe}; wait`
      const command = [script, 'sh', process.execPath, program, 'read', '--mode', 'full']
      const { stdout } = spawnSync('sh', ['-c', ...command], { encoding: 'utf8', timeout: 20_000 })
      expect(stdout).toContain('one')
      expect(stdout).toContain('two')
    })

    test('read shows a /proc file although its size is 0', () => {
      for (const mode of ['full', 'auto'])
        expect(within(['read', '--mode', mode, '/proc/version']).stdout).toContain('Linux version')
    })
  },
)
