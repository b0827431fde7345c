import { FORMATS } from '../base/format.js'
import { grouped } from '../base/lists.js'
import { type ConvertedMessages, convertMessages, type LostItem } from '../formats/index.js'
import type { Format } from '../index.js'
import { type Output, ofSessions, onlyFile, parse } from './arguments.js'
import { Failure } from './failure.js'
import { PROJECT_HELP } from './help.js'
import { nameOf } from './input.js'
import { namedPolicy } from './policies.js'
import { DEFAULT_POLICY } from './presets.js'
import { Progress } from './progress.js'
import { naming, openSession, projectSession } from './session.js'
import { count, oneLine } from './text.js'
import { writeWhole } from './write-whole.js'

export async function run(args: string[]): Promise<Output> {
  const options = {
    ...ofSessions,
    policy: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string', short: 'o' },
    'with-system': { type: 'boolean' },
  } as const
  const { values, positionals } = parse('project', args, options)
  if (values.help === true) return { stdout: PROJECT_HELP }
  const { stdout, notes } = await projectCommand({
    file: onlyFile('project', positionals),
    policy: values.policy ?? DEFAULT_POLICY,
    to: format(values.to),
    out: values.out,
    withSystem: values['with-system'] === true,
    fullHistory: values['full-history'] === true,
  })
  return { stdout, stderr: notes }
}

export interface ProjectArguments {
  file: string
  policy: string
  /** Defaults to the session's own format. */
  to: Format | undefined
  /** Defaults to standard output. */
  out: string | undefined
  withSystem: boolean
  fullHistory: boolean
}

export interface Projected {
  /** The JSON for standard output; empty if it was written to a file. */
  stdout: string
  /** What the conversion lost, one line each. */
  notes: string
}

/** Output of `trimtab project`. Nothing is written before all of it is computed. */
export async function projectCommand(args: ProjectArguments): Promise<Projected> {
  const named = namedPolicy(args.policy)
  const progress = new Progress()
  try {
    const transcript = await openSession(args.file, { fullHistory: args.fullHistory }, progress)
    progress.update('projecting', 0, 1)
    const { messages: view } = projectSession(args.file, transcript, named.policy)
    const to = args.to ?? transcript.format
    const beside = transcript.system === undefined ? {} : { system: transcript.system }
    const { text, lost, system } = naming(
      () => nameOf(args.file),
      () => {
        const converted = convertMessages(view, to, { format: transcript.format, ...beside })
        return { ...converted, text: jsonText(converted, args.withSystem) }
      },
    )
    if (args.out !== undefined) writeWhole('out', args.out, text)
    return {
      stdout: args.out === undefined ? text : '',
      notes: lossNotes(lost) + systemNote(system, args.withSystem),
    }
  } finally {
    progress.clear()
  }
}

function jsonText({ messages, system }: ConvertedMessages, withSystem: boolean): string {
  const list = listText(messages)
  return withSystem ? `{"system":${JSON.stringify(system ?? null)},"messages":${list}}\n` : `${list}\n`
}

/** Writes one message per line: easy to read, diff and cut. */
function listText(messages: readonly object[]): string {
  return messages.length === 0
    ? '[]'
    : `[\n${messages.map((message) => JSON.stringify(message)).join(',\n')}\n]`
}

function lossNotes(lost: readonly LostItem[]): string {
  const byWhat = grouped(lost, ({ what }) => what)
  return [...byWhat].map(([what, items]) => lossNote(what, items)).join('')
}

function lossNote(what: string, items: readonly LostItem[]): string {
  const at = items.map(({ index }) => index)
  const shown = [...new Set(at)].slice(0, 5).join(', ')
  const times = at.length === 1 ? '' : ` (${count(at.length, 'time')})`
  return `trimtab: not carried over: ${oneLine(what)}${times}, message ${shown}${at.length > 5 ? ' ...' : ''}\n`
}

function systemNote(system: string | undefined, withSystem: boolean): string {
  if (system === undefined || withSystem) return ''
  return 'trimtab: the system prompt is separate from the messages; --with-system prints {"system", "messages"}\n'
}

function format(name: string | undefined): Format | undefined {
  if (name === undefined) return undefined
  const known = FORMATS.find((each) => each === name)
  if (known === undefined) throw new Failure(`--to ${name}: no such format; there are ${FORMATS.join(', ')}`)
  return known
}
