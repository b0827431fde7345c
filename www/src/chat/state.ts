import { computed, signal } from '@preact/signals'
import { type NeutralHistory, type Policy, readMessages } from 'trimtab'
import { PRICES, type Prices } from 'trimtab/money'
import type { Transcript } from 'trimtab/transcripts'
import { coreStarted } from '../engine/core.js'
import { asking } from './agent/approval.js'
import { Conversation, type Draft, type Note } from './agent/conversation.js'
import { HeldPace } from './agent/pace.js'
import { reasonOf } from './agent/reason.js'
import { replaySession } from './agent/replay-session.js'
import { costOf, editsAfter, type SentRequest, trimsOf } from './agent/requests.js'
import { type Row, rowsOf } from './agent/thread.js'
import type { Files, Workbench } from './agent/tools.js'
import { askUser } from './approval.js'
import { connection, currentModel } from './models/current.js'
import {
  asSimulated,
  POLICY_IDS,
  type PolicyId,
  policyFor,
  type Steered,
  steered,
  steeredOf,
  UNSTEERED,
} from './policies.js'

await coreStarted

/** A recorded session that is being played. */
interface Replay {
  readonly name: string
  readonly transcript: Transcript
  readonly pace: HeldPace
  /** How many requests the session has. */
  readonly requests: number
}

/** What the page shows of the conversation: taken once per frame, however often it changed. */
export interface Shown {
  readonly conversation: Conversation
  readonly history: NeutralHistory
  readonly rows: readonly Row[]
  readonly requests: readonly SentRequest[]
  readonly messages: readonly object[]
  readonly notes: readonly Note[]
}

/** Tokens of the window that the ring shows, of the scripted model and of a recorded session. */
const WINDOWS = { script: 32_000, replay: 200_000 }
/** Prices of the providers' larger models, relative to their input: the page knows no model by its name. */
const PRICES_OF = { openai: PRICES.openai, anthropic: PRICES.anthropic, gemini: PRICES.gemini }

/** The policy of a page that nobody has changed. */
export const FIRST_POLICY: PolicyId = 'cache-aware'
export const policyId = signal<PolicyId>(FIRST_POLICY)
/** The recorded session that is shown, while there is one. */
export const replay = signal<Replay | null>(null)
const windowSize = computed(() => {
  if (replay.value !== null) return WINDOWS.replay
  return connection.value?.window ?? WINDOWS.script
})
/** What requests are priced with. */
export const prices = computed<Prices>(() => {
  const asked = replay.value === null ? connection.value : null
  return asked === null ? PRICES.anthropic : PRICES_OF[asked.provider]
})
/** Whether the scripted model answers. */
export const isScripted = computed(() => replay.value === null && connection.value === null)
function policyOf(id: PolicyId): Policy {
  const policy = policyFor(id, { window: windowSize.value, isScripted: isScripted.value })
  return replay.value === null ? policy : asSimulated(policy)
}
/** The policy that is chosen. */
export const policy = computed(() => policyOf(policyId.value))
const conversation = signal<Conversation>(newConversation())
const changes = signal(0)

export const isPlaying = signal(false)
/** Whether a replay has come to its end. */
export const isOver = signal(false)
export const draft = signal<Draft | null>(null)
export const activity = signal<string | null>(null)
export const failure = signal<string | null>(null)
/** What went wrong outside of a conversation: a file that cannot be read. */
export const notice = signal<string | null>(null)

const facts = signal(snapshot(conversation.peek()))
/** How many requests had been made before the one that is looked at; `null` is now. */
export const past = signal<number | null>(null)
export const shown = computed<Shown>(() =>
  past.value === null ? facts.value : asItWas(facts.value, past.value),
)
/** How many requests the conversation has, whichever is looked at. */
export const requestCount = computed(() => facts.value.requests.length)

export const context = computed(() => {
  const { requests } = shown.value
  const last = requests.at(-1)
  const window = windowSize.value
  const { sent, full } = costOf(requests, prices.value)
  return {
    window,
    sent: last?.sent ?? 0,
    full: last?.full ?? 0,
    cached: last?.cached ?? 0,
    share: Math.min(1, (last?.sent ?? 0) / window),
    /** What the requests cost, 1 for sending everything; `null` before the first. */
    relativeCost: full === 0 ? null : sent / full,
    edits: editsAfter(requests),
    trims: trimsOf(requests),
  }
})

/** The tools of the conversation that is open, on a workspace of its own; made when they are first needed. */
let workbench: Promise<Workbench> | null = null
/** The files that the open conversation had changed when it was opened. */
let savedFiles: Files = {}
let stop = new AbortController()
let unsubscribe = () => {}
let isDue = false

open(conversation.peek())

function newConversation(format: Conversation['format'] = 'openai-chat', title = 'New chat'): Conversation {
  return new Conversation({ id: crypto.randomUUID(), title, format, policy: policy.peek() })
}

function snapshot(of: Conversation): Shown {
  const { messages, requests, notes, format } = of
  const history = readMessages(messages, { format })
  return { conversation: of, history, messages, requests, notes, rows: rowsOf({ history, requests, notes }) }
}

/** What there was when a request was sent. */
function asItWas(now: Shown, at: number): Shown {
  const request = now.requests[at]
  if (request === undefined) return now
  const { format } = now.conversation
  const requests = now.requests.slice(0, at + 1)
  const notes = now.notes.filter(({ after }) => after < request.messages)
  const history = readMessages(now.messages.slice(0, request.messages), { format })
  return { ...now, history, requests, notes, rows: rowsOf({ history, requests, notes }) }
}

/** Looks at a request that was sent, from 0; at the last one there is nothing past. */
export function lookAt(request: number): void {
  past.value = request >= requestCount.peek() - 1 ? null : Math.max(0, request)
}

/** Shows a conversation. */
function open(next: Conversation, files: Files = {}): void {
  unsubscribe()
  past.value = null
  conversation.value = next
  workbench = null
  savedFiles = files
  unsubscribe = next.subscribe(() => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(refresh)
  })
  refresh()
}

function refresh(): void {
  isDue = false
  const now = conversation.peek()
  const { messages, requests, notes, conversation: before } = facts.peek()
  const isSame = messages === now.messages && requests === now.requests && notes === now.notes
  if (before !== now || !isSame) facts.value = snapshot(now)
  draft.value = now.draft === null ? null : { ...now.draft, calls: [...now.draft.calls] }
  activity.value = now.activity
  failure.value = now.failure
  changes.value += 1
}

/** Says something to the model, and lets it work. */
export async function send(text: string): Promise<void> {
  const now = conversation.peek()
  if (now.messages.length === 0) now.rename(titleOf(text))
  now.say('user', text, Date.now())
  await work(now)
}

async function work(now: Conversation): Promise<void> {
  stop = new AbortController()
  const { signal: stopped } = stop
  now.doing('Thinking')
  try {
    const { runTurn, workbenchFor } = await import('./work.js')
    workbench ??= Promise.resolve(workbenchFor(now, savedFiles))
    const { tools, system } = await workbench
    const refusal = asking((call) => askUser(call, stopped), allowedIn(now))
    const model = await currentModel()
    await runTurn(now, { model, tools, system, signal: stopped, refusal, now: Date.now })
  } catch (error) {
    workbench = null
    now.doing(null)
    now.fail(reasonOf(error))
  }
}

/** Whether all changes of files are allowed, by conversation, for as long as the page is open. */
const allowed = new WeakMap<Conversation, { all: boolean }>()

function allowedIn(now: Conversation): { all: boolean } {
  const known = allowed.get(now) ?? { all: false }
  allowed.set(now, known)
  return known
}

export function stopWork(): void {
  stop.abort(new DOMException('Stopped by the user', 'AbortError'))
}

/** Asks again where no answer came: what was done before stays done. */
export const retry = (): Promise<void> => work(conversation.peek())

// Another model has another window.
connection.subscribe(() => setPolicy(policyId.peek()))

/** Says something else in the place of a message of the user's: a chat of its own, with all that came before. */
export async function branch(message: number, text: string): Promise<void> {
  stopWork()
  const next = conversation.peek().branch(message, { id: crypto.randomUUID(), title: titleOf(text) })
  const files = await changedFiles()
  replay.value = null
  open(next, files)
  next.say('user', text, Date.now())
  await work(next)
}

/** A chat of its own that stands where a request was about to be sent. */
export async function fork(request: number): Promise<void> {
  const now = conversation.peek()
  const made = now.requests[request]
  if (made === undefined) return
  stopWork()
  const files = await changedFiles()
  const next = now.branch(made.messages, { id: crypto.randomUUID(), title: titleOf(`Fork of ${now.title}`) })
  replay.value = null
  open(next, files)
  setPolicy(policyId.peek())
}

/** Whether the model has not had its say: the history ends with a prompt or with results. */
export const isOpenEnded = computed(() => {
  const last = facts.value.history.messages.at(-1)
  const isAtRest = activity.value === null && failure.value === null && replay.value === null
  return isAtRest && past.value === null && last !== undefined && last.role !== 'assistant'
})

const titleOf = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text)

export function newChat(): void {
  stopWork()
  replay.value = null
  open(newConversation())
}

/** Shows a conversation of before, with the files that it changed. */
export function openConversation(saved: Conversation, files: Files): void {
  stopWork()
  replay.value = null
  policyId.value =
    POLICY_IDS.find((id) => samePolicy(policyOf(id), steered(saved.policy, UNSTEERED))) ?? policyId.peek()
  open(saved, files)
}

const samePolicy = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** The files that the open conversation has changed. */
export async function changedFiles(): Promise<Files> {
  return workbench === null ? savedFiles : (await workbench).changedFiles()
}

export function renameChat(name: string): void {
  conversation.peek().rename(name)
}

/** Plays a recorded session from its start. */
async function play(name: string, transcript: Transcript): Promise<void> {
  stopWork()
  stop = new AbortController()
  const { signal: ended } = stop
  const pace = new HeldPace(ended, replay.peek()?.pace.speed ?? 4)
  const recorded = readMessages(transcript.messages, { format: transcript.format }).messages
  const answers = recorded.filter(
    ({ role }, at) => role === 'assistant' && recorded[at - 1]?.role !== 'assistant',
  )
  replay.value = { name, transcript, pace, requests: answers.length }
  isPlaying.value = true
  isOver.value = false
  const now = newConversation(transcript.format, transcript.title ?? name)
  open(now)
  try {
    await replaySession(now, transcript, pace)
    // The last requests wait for a frame, which a busy page draws late: what is over shows all of them.
    refresh()
    isOver.value = true
    isPlaying.value = false
  } catch (error) {
    if (!ended.aborted) now.fail(reasonOf(error))
  }
}

export function playAgain(): void {
  const { name, transcript } = replay.peek() ?? {}
  if (name !== undefined && transcript !== undefined) void play(name, transcript)
}

export function togglePlaying(): void {
  const { pace } = replay.peek() ?? {}
  if (pace === undefined) return
  if (pace.isPlaying) pace.pause()
  else pace.play()
  isPlaying.value = pace.isPlaying
}

export function stepReplay(): void {
  replay.peek()?.pace.step()
}

export function setSpeed(speed: number): void {
  const { pace } = replay.peek() ?? {}
  if (pace !== undefined) pace.speed = speed
}

/** The sample that ships with the package, from the page's own folder. */
export async function playSample(): Promise<void> {
  try {
    const url = new URL('../../../examples/session.jsonl', import.meta.url)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`it could not be loaded (${response.status})`)
    const { readTranscript } = await import('trimtab/transcripts')
    await play('Sample session', readTranscript(await response.text()))
  } catch (error) {
    notice.value = `The sample cannot be played: ${reasonOf(error)}`
  }
}

export async function openFile(file: File): Promise<void> {
  try {
    const { readTranscript } = await import('trimtab/transcripts')
    await play(file.name, readTranscript(await file.text(), { name: file.name }))
  } catch (error) {
    notice.value = reasonOf(error)
  }
}

export function setPolicy(id: PolicyId): void {
  policyId.value = id
  const now = conversation.peek()
  now.setPolicy(steered(policyOf(id), steeredOf(now.policy)))
}

/** Keeps a call and its result in every request, or out of all, or leaves that to the policy. */
export function steer(call: string, way: keyof Steered | null): void {
  const { pinned, excluded } = decided.peek()
  const others = (calls: readonly string[]) => calls.filter((one) => one !== call)
  const next = { pinned: others(pinned), excluded: others(excluded) }
  conversation.peek().steer(way === null ? next : { ...next, [way]: [...next[way], call] })
}

export function undoTrim(request: number): void {
  const now = conversation.peek()
  const made = now.requests[request]
  if (made !== undefined) now.undoTrim(made)
}

export function resumeTrimming(): void {
  conversation.peek().resumeTrimming()
}

const decided = computed<Steered>(() =>
  changes.value >= 0 ? steeredOf(conversation.value.policy) : UNSTEERED,
)
/** What the user decided about single calls, by their ids. */
export const steeredCalls = computed<ReadonlyMap<string, keyof Steered>>(() => {
  const { pinned, excluded } = decided.value
  return new Map([
    ...pinned.map((id) => [id, 'pinned'] as const),
    ...excluded.map((id) => [id, 'excluded'] as const),
  ])
})
/** Whether the user undid a trim; it changes with the conversation. */
export const isPaused = computed(() => changes.value >= 0 && conversation.value.isPaused)
export const title = computed(() => (changes.value >= 0 ? conversation.value.title : ''))
