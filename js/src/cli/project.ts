import { FORMATS } from '../base/format.js'
import { given } from '../base/json.js'
import { grouped } from '../base/lists.js'
import { type ConvertedMessages, convertMessages, type LostItem } from '../formats/index.js'
import type { Format } from '../index.js'
import type { SessionFact, Transcript } from '../transcripts/index.js'
import { SESSION_KINDS, writeTranscript } from '../transcripts/write.js'
import { type Output, ofSessions, onlyFile, parse } from './arguments.js'
import { Failure } from './failure.js'
import { PROJECT_HELP } from './help.js'
import { namedPolicy } from './policies.js'
import { DEFAULT_POLICY } from './presets.js'
import { withProgress } from './progress.js'
import { naming, openSession, projectSession } from './session.js'
import { asPrinted, count, oneLine } from './text.js'
import { writeWhole } from './write-whole.js'

const OPTIONS = {
  ...ofSessions,
  policy: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string', short: 'o' },
  'with-system': { type: 'boolean' },
} as const

/** `trimtab project`. Nothing is written before all of it is computed. */
export async function run(args: string[]): Promise<Output> {
  const { values, positionals } = parse('project', args, OPTIONS)
  if (values.help === true) return { stdout: PROJECT_HELP }
  const { out, 'full-history': fullHistory = false, 'with-system': withSystem = false } = values
  const file = onlyFile('project', positionals)
  const target = targetOf(values.to)
  const { policy } = namedPolicy(values.policy ?? DEFAULT_POLICY)
  return withProgress(async (progress) => {
    const transcript = await openSession(file, { fullHistory }, progress)
    progress.update('projecting', 0, 1)
    const { messages: view } = projectSession(file, transcript, policy)
    const write = () =>
      isSession(target) ? sessionFile(view, transcript, target) : list(view, transcript, target, withSystem)
    const { text, notes } = naming(() => file, write)
    if (out !== undefined) writeWhole('out', out, text)
    return { stdout: out === undefined ? asPrinted(text) : '', stderr: notes }
  })
}

interface Written {
  text: string
  /** What to say on standard error. */
  notes: string
}

function list(
  view: readonly object[],
  { format, system: prompt }: Transcript,
  target: Format | undefined,
  withSystem: boolean,
): Written {
  const converted = convertMessages(view, target ?? format, given({ format, system: prompt }))
  const notes = lossNotes(converted.lost) + systemNote(converted.system, withSystem)
  return { text: jsonText(converted, withSystem), notes }
}

function sessionFile(view: readonly object[], transcript: Transcript, kind: SessionKind): Written {
  const { format, title, system, cwd } = transcript
  const known = factsOf(view, transcript)
  const { text, lost, omitted } = writeTranscript(view, {
    kind,
    format,
    ...given({ title, system, cwd, ...known }),
  })
  const unfit = BY_MESSAGE.filter((fact) => transcript[fact] !== undefined && known[fact] === undefined)
  const facts = [...omitted, ...unfit].map((fact) => `trimtab: ${NOTES[fact]} of the session\n`).join('')
  return { text, notes: lossNotes(lost) + facts }
}

const BY_MESSAGE = ['times', 'usage', 'requests'] as const

const NOTES: Record<SessionFact, string> = {
  title: 'not carried over: title',
  system: 'not carried over: system',
  times: 'not carried over: times',
  usage: 'not carried over: usage',
  requests: 'not carried over, or not in full: requests (models, cache writes)',
  cwd: 'not carried over: folder',
}

/**
 * What is known of the messages of a view. It can have fewer than the session; and what was reported of requests is not
 * true of those with other messages, but for their models.
 */
function factsOf(
  view: readonly object[],
  { messages, times, usage, requests }: Transcript,
): Pick<Transcript, (typeof BY_MESSAGE)[number]> {
  if (view.length !== messages.length) return {}
  if (view.every((message, i) => message === messages[i])) return given({ times, usage, requests })
  const models = requests?.map((request) => request && { ...request, writes: null, missReason: null })
  return given({ times, requests: models })
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

type SessionKind = (typeof SESSION_KINDS)[number]
type Target = Format | SessionKind

const TARGETS: readonly Target[] = [...FORMATS, ...SESSION_KINDS]

const isSession = (target: Target | undefined): target is SessionKind =>
  SESSION_KINDS.some((kind) => kind === target)

function targetOf(name: string | undefined): Target | undefined {
  if (name === undefined) return undefined
  const known = TARGETS.find((each) => each === name)
  if (known === undefined) throw new Failure(`--to ${name}: no such format; there are ${TARGETS.join(', ')}`)
  return known
}
