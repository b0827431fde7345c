import { type ParseArgsConfig, parseArgs } from 'node:util'
import { Failure } from './failure.js'

/** What a command prints. */
export interface Output {
  stdout: string
  stderr?: string
  /** Some of what was asked for is not there. */
  failed?: boolean
}

/** The option of every command. */
export const help = { type: 'boolean', short: 'h' } as const

/** Of the commands that read sessions. */
export const ofSessions = { help, 'full-history': { type: 'boolean' } } as const

/** Of the commands that replay sessions. */
export const ofReplays = {
  ...ofSessions,
  json: { type: 'boolean' },
  prices: { type: 'string' },
  window: { type: 'string' },
  ttl: { type: 'string' },
  svg: { type: 'string' },
} as const

/** Options and files of a command; what `parseArgs` refuses is said in one line. */
export function parse<O extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(/[.\n] ?/)[0] ?? '') : String(error)
    throw new Failure(`${reason}; see trimtab ${command} --help`)
  }
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

/** What commands that replay sessions are given alike. */
export interface ReplayArguments {
  files: readonly string[]
  /** The name of a row of the table. */
  prices: string | undefined
  window: string | undefined
  ttl: string | undefined
  json: boolean
  /** The file for the picture. */
  svg: string | undefined
  fullHistory: boolean
}

interface ReplayValues extends Partial<Record<'prices' | 'window' | 'ttl' | 'svg', string>> {
  json?: boolean
  'full-history'?: boolean
}

export const replayArguments = (
  command: string,
  { prices, window, ttl, json = false, svg, 'full-history': fullHistory = false }: ReplayValues,
  positionals: readonly string[],
): ReplayArguments => ({
  files: someFiles(command, positionals),
  prices,
  window,
  ttl,
  json,
  svg,
  fullHistory,
})

/** The whole number that an option is given. */
export function whole(option: string, text: string | undefined, negative = false): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  const isWhole = /^-?\d+$/.test(text) && Number.isSafeInteger(number) && number < 2 ** 32
  if (isWhole && (negative || number >= 0)) return number
  throw new Failure(`${option} ${text}: a whole number${negative ? '' : ' from 0 on'} is needed`)
}
