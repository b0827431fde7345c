import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearest } from '../base/nearest.js'
import { Failure } from './failure.js'

/** Output of a command. */
export interface Output {
  stdout: string
  stderr?: string
  /** Whether part of the request could not be met; other results are still printed. */
  failed?: boolean
}

/** The option that every command has. */
export const help = { type: 'boolean', short: 'h' } as const

/** Options of commands that read sessions. */
export const ofSessions = { help, 'full-history': { type: 'boolean' } } as const

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses a command's options and files. An error of `parseArgs` becomes a {@link Failure} of one line. */
export function parse<O extends Options>(
  command: string,
  args: string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>> {
  try {
    return parseArgs({ args: joinNegatives(args, options), options, allowPositionals: true })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(/[.\n] ?/)[0] ?? '') : String(error)
    throw new Failure(`${reason}${adviceOn(reason, options)}; see trimtab ${command} --help`)
  }
}

function adviceOn(reason: string, options: Options): string {
  const name = /^Unknown option '--([^']+)'/.exec(reason)?.[1]
  const meant = name === undefined ? undefined : nearest(name, Object.keys(options))
  return meant === undefined ? '' : `; did you mean --${meant}?`
}

/** Joins options with a negative number after them, which `parseArgs` takes for an option. */
function joinNegatives(args: readonly string[], options: Options): string[] {
  const end = args.indexOf('--')
  const isValue = (at: number) =>
    (end < 0 || at < end) && /^-[\d.]+$/.test(args[at] ?? '') && takesValue(args[at - 1], options)
  return args.flatMap((arg, at) => {
    if (isValue(at)) return []
    return isValue(at + 1) ? [`${arg}=${args[at + 1]}`] : [arg]
  })
}

function takesValue(arg: string | undefined, options: Options): boolean {
  if (!arg?.startsWith('--')) return false
  const name = arg.slice(2)
  return Object.hasOwn(options, name) && options[name]?.type === 'string'
}

export function onlyFile(command: string, positionals: readonly string[]): string {
  const [file, second] = positionals
  if (file === undefined) throw new Failure(`no file given; see trimtab ${command} --help`)
  if (second !== undefined) throw new Failure(`one file at a time: ${second} is one too many`)
  return file
}

export function someFiles(command: string, positionals: readonly string[]): readonly string[] {
  if (positionals.length === 0) throw new Failure(`no file given; see trimtab ${command} --help`)
  return positionals
}

/** Parses an option's number; `undefined` if the option is absent. `allowed` says in words what `is` tests. */
export function numberOf(
  option: string,
  text: string | undefined,
  allowed: string,
  is: (number: number) => boolean,
): number | undefined {
  if (text === undefined) return undefined
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (is(number)) return number
  throw new Failure(`${option} ${text}: must be ${allowed}`)
}

/** Parses an option's whole number, below 2^32; `undefined` if the option is absent. */
export function whole(option: string, text: string | undefined, negative = false): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  const isWhole = /^-?\d+$/.test(text) && Number.isSafeInteger(number) && number < 2 ** 32
  if (isWhole && (negative || number >= 0)) return number
  throw new Failure(`${option} ${text}: a whole number${negative ? '' : ' from 0 on'} is needed`)
}
