#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FORMATS } from '../base/format.js'
import { nearest } from '../base/nearest.js'
import { withCore } from '../engine/with-core.js'
import { withFiles } from '../engine/with-files.js'
import { withValidity } from '../engine/with-validity.js'
import type { Format } from '../index.js'
import { READ_MODES, type ReadMode } from '../reading/thresholds.js'
import { explainCommand } from './explain.js'
import { Failure, failureLine } from './failure.js'
import {
  HELP,
  INIT_HELP,
  INSPECT_HELP,
  OUTLINE_HELP,
  PROJECT_HELP,
  READ_HELP,
  SIMULATE_HELP,
  TUNE_HELP,
  WHY_HELP,
} from './help.js'
import { initCommand } from './init.js'
import { inspectCommand } from './inspect.js'
import { outlineCommand } from './outline.js'
import { projectCommand } from './project.js'
import { readCommand } from './read.js'
import { simulateCommand } from './simulate.js'
import { tuneCommand } from './tune.js'
import { whyCommand } from './why.js'

const EXIT_FAILURE = 2
const EXIT_DEFECT = 70

interface Output {
  stdout: string
  stderr?: string
  /** Some of what was asked for is not there. */
  failed?: boolean
}

async function run([command, ...rest]: string[]): Promise<Output> {
  switch (command) {
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      return { stdout: helpOf(rest[0]) }
    case '--version':
    case '-V':
      return { stdout: `${version()}\n` }
    case 'inspect':
      return runInspect(rest)
    case 'project':
      return runProject(rest)
    case 'simulate':
      return runSimulate(rest)
    case 'outline':
      return runOutline(rest)
    case 'read':
      return runRead(rest)
    case 'tune':
      return runTune(rest)
    case 'why':
      return runWhy(rest)
    case 'init':
      return runInit(rest)
    default:
      throw unknown(command)
  }
}

const HELP_OF = new Map([
  ['inspect', INSPECT_HELP],
  ['project', PROJECT_HELP],
  ['simulate', SIMULATE_HELP],
  ['tune', TUNE_HELP],
  ['outline', OUTLINE_HELP],
  ['read', READ_HELP],
  ['why', WHY_HELP],
  ['init', INIT_HELP],
])

function helpOf(command: string | undefined): string {
  if (command === undefined || command.startsWith('-')) return HELP
  const help = HELP_OF.get(command)
  if (help === undefined) throw unknown(command)
  return help
}

function unknown(command: string): Failure {
  const kind = command.startsWith('-') ? 'option' : 'command'
  const meant = nearest(command, HELP_OF.keys())
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`
  return new Failure(`unknown ${kind} ${command}${advice}; see trimtab --help`)
}

function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const common = { help: { type: 'boolean', short: 'h' }, 'full-history': { type: 'boolean' } } as const

async function runInspect(args: string[]): Promise<Output> {
  const options = {
    ...common,
    json: { type: 'boolean' },
    policy: { type: 'string', multiple: true },
    explain: { type: 'string' },
  } as const
  const { values, positionals } = parse('inspect', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: INSPECT_HELP }
  if (values.explain !== undefined) {
    const [policy = 'smart-retention', second] = values.policy ?? []
    if (second !== undefined) throw new Failure('--explain takes one policy; see trimtab inspect --help')
    const stdout = await explainCommand({
      file: onlyFile('inspect', positionals),
      index: values.explain,
      policy,
      json: values.json === true,
      fullHistory: values['full-history'] === true,
    })
    return { stdout }
  }
  const stdout = await inspectCommand({
    file: onlyFile('inspect', positionals),
    json: values.json === true,
    policies: values.policy ?? [],
    fullHistory: values['full-history'] === true,
  })
  return { stdout }
}

async function runProject(args: string[]): Promise<Output> {
  const options = {
    ...common,
    policy: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string', short: 'o' },
    'with-system': { type: 'boolean' },
  } as const
  const { values, positionals } = parse('project', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: PROJECT_HELP }
  const { stdout, notes } = await projectCommand({
    file: onlyFile('project', positionals),
    policy: values.policy ?? 'rolling-context',
    to: format(values.to),
    out: values.out,
    withSystem: values['with-system'] === true,
    fullHistory: values['full-history'] === true,
  })
  return { stdout, stderr: notes }
}

/** Of the commands that replay sessions. */
const replaying = {
  ...common,
  json: { type: 'boolean' },
  prices: { type: 'string' },
  window: { type: 'string' },
  ttl: { type: 'string' },
  svg: { type: 'string' },
} as const

async function runTune(args: string[]): Promise<Output> {
  const options = { ...replaying, keep: { type: 'string' } } as const
  const { values, positionals } = parse('tune', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: TUNE_HELP }
  if (positionals.length === 0) throw new Failure('no file given; see trimtab tune --help')
  const stdout = await tuneCommand({
    files: positionals,
    prices: values.prices,
    window: values.window,
    ttl: values.ttl,
    keep: values.keep,
    json: values.json === true,
    svg: values.svg,
    fullHistory: values['full-history'] === true,
  })
  return { stdout }
}

async function runSimulate(args: string[]): Promise<Output> {
  const options = { ...replaying, policy: { type: 'string', multiple: true } } as const
  const { values, positionals } = parse('simulate', () =>
    parseArgs({ args, options, allowPositionals: true }),
  )
  if (values.help === true) return { stdout: SIMULATE_HELP }
  if (positionals.length === 0) throw new Failure('no file given; see trimtab simulate --help')
  const stdout = await simulateCommand({
    files: positionals,
    policies: values.policy ?? [],
    prices: values.prices,
    window: values.window,
    ttl: values.ttl,
    json: values.json === true,
    svg: values.svg,
    fullHistory: values['full-history'] === true,
  })
  return { stdout }
}

const help = common.help

async function runWhy(args: string[]): Promise<Output> {
  const options = {
    help,
    json: { type: 'boolean' },
    prices: { type: 'string' },
    ttl: { type: 'string' },
    most: { type: 'string' },
  } as const
  const { values, positionals } = parse('why', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: WHY_HELP }
  const stdout = await whyCommand({
    file: onlyFile('why', positionals),
    prices: values.prices,
    ttl: values.ttl,
    json: values.json === true,
    most: whole('--most', values.most) ?? MOST_LISTED,
  })
  return { stdout }
}

function runInit(args: string[]): Output {
  const { values, positionals } = parse('init', () =>
    parseArgs({ args, options: { help }, allowPositionals: true }),
  )
  if (values.help === true) return { stdout: INIT_HELP }
  if (positionals.length > 0) throw new Failure('init takes no file: it reads package.json of this folder')
  return { stdout: initCommand() }
}

/** Requests that `trimtab why` lists. */
const MOST_LISTED = 10

async function runOutline(args: string[]): Promise<Output> {
  const options = {
    help,
    json: { type: 'boolean' },
    lines: { type: 'string' },
    tokens: { type: 'string' },
    language: { type: 'string' },
  } as const
  const { values, positionals } = parse('outline', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: OUTLINE_HELP }
  if (positionals.length === 0) throw new Failure('no file given; see trimtab outline --help')
  const lines = whole('--lines', values.lines)
  const tokens = whole('--tokens', values.tokens)
  if (lines !== undefined && tokens !== undefined) throw new Failure('--lines or --tokens, not both')
  const budget = lines !== undefined ? { lines } : tokens !== undefined ? { tokens } : undefined
  const json = values.json === true
  const outlined = await outlineCommand({ files: positionals, budget, language: values.language, json })
  return { stdout: outlined.stdout, stderr: outlined.notes, failed: outlined.failed }
}

async function runRead(given: string[]): Promise<Output> {
  const args = joinNegatives(given)
  const options = {
    help,
    offset: { type: 'string' },
    limit: { type: 'string' },
    column: { type: 'string' },
    mode: { type: 'string' },
    about: { type: 'string' },
    expand: { type: 'string' },
  } as const
  const { values, positionals } = parse('read', () => parseArgs({ args, options, allowPositionals: true }))
  if (values.help === true) return { stdout: READ_HELP }
  const { about, expand } = values
  const mode = (values.mode ?? (about === undefined ? 'full' : 'auto')) as ReadMode
  if (!READ_MODES.includes(mode)) throw new Failure(`--mode ${mode}: one of ${READ_MODES.join(', ')}`)
  const offset = whole('--offset', values.offset, true)
  const limit = whole('--limit', values.limit)
  const column = whole('--column', values.column)
  if ((mode !== 'full' || expand !== undefined) && (offset ?? limit ?? column) !== undefined) {
    throw new Failure('--offset, --limit and --column go with --mode full')
  }
  const file = onlyFile('read', positionals)
  return { stdout: await readCommand({ file, mode, about, expand, offset, limit, column }) }
}

/** `--offset -5` can mean one thing only, but `parseArgs` takes `-5` for options. */
function joinNegatives(args: readonly string[]): string[] {
  const isValue = (at: number) => args[at - 1] === '--offset' && /^-\d+$/.test(args[at] ?? '')
  return args.flatMap((arg, at) => {
    if (isValue(at)) return []
    return isValue(at + 1) ? [`${arg}=${args[at + 1]}`] : [arg]
  })
}

function whole(option: string, text: string | undefined, negative = false): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  const isWhole = /^-?\d+$/.test(text) && Number.isSafeInteger(number) && number < 2 ** 32
  if (isWhole && (negative || number >= 0)) return number
  throw new Failure(`${option} ${text}: a whole number${negative ? '' : ' from 0 on'} is needed`)
}

function parse<T>(command: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(/[.\n] ?/)[0] ?? '') : String(error)
    throw new Failure(`${reason}; see trimtab ${command} --help`)
  }
}

function onlyFile(command: string, positionals: readonly string[]): string {
  const [file, second] = positionals
  if (file === undefined) throw new Failure(`no file given; see trimtab ${command} --help`)
  if (second !== undefined) throw new Failure(`one file at a time: ${second} is one too many`)
  return file
}

function format(name: string | undefined): Format | undefined {
  if (name === undefined) return undefined
  const known = FORMATS.find((each) => each === name)
  if (known === undefined) throw new Failure(`--to ${name}: no such format; there are ${FORMATS.join(', ')}`)
  return known
}

// A reader that has seen enough (`trimtab ... | head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : EXIT_DEFECT)
  })
}

try {
  const {
    stdout,
    stderr,
    failed = false,
  } = await withCore(withFiles(withValidity(run)))(process.argv.slice(2))
  if (failed) process.exitCode = EXIT_FAILURE
  process.stderr.write(stderr ?? '')
  process.stdout.write(stdout)
} catch (error) {
  process.exitCode = error instanceof Failure ? EXIT_FAILURE : EXIT_DEFECT
  process.stderr.write(failureLine(error instanceof Error ? error.message : String(error)))
}
