#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { nearest } from '../base/nearest.js'
import { withCore } from '../engine/with-core.js'
import { withFiles } from '../engine/with-files.js'
import { withValidity } from '../engine/with-validity.js'
import type { Output } from './arguments.js'
import { Failure, failureLine, fileReason } from './failure.js'

const EXIT_FAILURE = 2
const EXIT_DEFECT = 70

interface Command {
  run(args: string[]): Output | Promise<Output>
}

/** Each command's module is loaded only when the command runs. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ['inspect', () => import('./inspect.js')],
  ['project', () => import('./project.js')],
  ['simulate', () => import('./simulate.js')],
  ['tune', () => import('./tune.js')],
  ['outline', () => import('./outline.js')],
  ['read', () => import('./read.js')],
  ['why', () => import('./why.js')],
  ['init', () => import('./init.js')],
])

async function run([command, ...rest]: string[]): Promise<Output> {
  switch (command) {
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      return { stdout: await helpOf(rest[0]) }
    case '--version':
    case '-V':
      return { stdout: `${version()}\n` }
    default:
      return (await commandNamed(command)).run(rest)
  }
}

async function helpOf(command: string | undefined): Promise<string> {
  if (command === undefined || command.startsWith('-')) return (await import('./help.js')).HELP
  return (await (await commandNamed(command)).run(['--help'])).stdout
}

function commandNamed(name: string): Promise<Command> {
  const load = COMMANDS.get(name)
  if (load === undefined) throw unknown(name)
  return load()
}

function unknown(command: string): Failure {
  const kind = command.startsWith('-') ? 'option' : 'command'
  const meant = nearest(command, COMMANDS.keys())
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`
  return new Failure(`unknown ${kind} ${command}${advice}; see trimtab --help`)
}

function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

// A reader that closes the pipe early (`trimtab ... | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.exitCode = EXIT_FAILURE
  const line = failureLine(`cannot write standard output: ${fileReason(error)}`)
  process.stderr.write(line, () => process.exit())
})
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? process.exitCode : EXIT_FAILURE)
})

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
