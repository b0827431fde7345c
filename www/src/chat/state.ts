import { computed, signal } from '@preact/signals'
import type { Policy } from 'trimtab'
import type { Prices } from 'trimtab/money'
import { coreStarted } from '../engine/core.js'
import { asking } from './agent/approval.js'
import { Conversation, type Draft } from './agent/conversation.js'
import { HeldPace } from './agent/pace.js'
import type { Files } from './agent/places.js'
import { reasonOf } from './agent/reason.js'
import { requestsIn } from './agent/recorded-requests.js'
import { replaySession } from './agent/replay-session.js'
import { RequestIndex } from './agent/request-index.js'
import { costOf, type SentRequest } from './agent/requests.js'
import { costWith } from './agent/segments.js'
import { rowsOf } from './agent/thread.js'
import { askUser } from './approval.js'
import { chosenPrices, ownPrices, pricesNamed } from './comparison/prices.js'
import { Desk } from './desk.js'
import { changedFiles, folder, takeFiles, workbench, workIn } from './files.js'
import { connection, currentModel } from './models/current.js'
import { pageModel } from './models/page-model.js'
import { notice, readSession } from './opening.js'
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
import type { Recording } from './recording.js'
import type { Replay, Shown } from './shown.js'
import { viewed } from './viewed.js'

await coreStarted

/** Tokens of the window that the ring shows, of the scripted model and of a recorded session. */
const WINDOWS = { script: 32_000, replay: 200_000 }

/** The policy of a page that nobody has changed. */
export const FIRST_POLICY: PolicyId = 'cache-aware'
export const policyId = signal<PolicyId>(FIRST_POLICY)
/** The recorded session that is shown, while there is one. */
export const replay = signal<Replay | null>(null)
/** Tokens of the window of whoever answers what is asked now. */
export const answeringWindow = computed(() => (connection.value ?? pageModel.value)?.window ?? WINDOWS.script)
const windowSize = computed(() => (replay.value === null ? answeringWindow.value : WINDOWS.replay))
/** The name of what requests are priced with, everywhere in the page; a recorded session does not say who answered it. */
export const pricesName = computed(
  () => chosenPrices.value ?? (replay.value === null ? ownPrices.value : 'anthropic'),
)
export const prices = computed<Prices>(() => pricesNamed(pricesName.value))
/** Whether the scripted model answers. */
export const isScripted = computed(
  () => replay.value === null && connection.value === null && pageModel.value === null,
)
function policyOf(id: PolicyId): Policy {
  const policy = policyFor(id, { window: windowSize.value, isScripted: isScripted.value })
  return replay.value === null ? policy : asSimulated(policy)
}
/** The policy that is chosen. */
export const policy = computed(() => policyOf(policyId.value))
const conversation = signal<Conversation>(newConversation())
const changes = signal(0)

export const isPlaying = signal(false)
/** Whether the requests of a recorded session are still worked out. */
export const isAccounting = signal(false)
/** Whether a replay has come to its end. */
export const isOver = signal(false)
export const draft = signal<Draft | null>(null)
export const activity = signal<string | null>(null)
export const failure = signal<string | null>(null)

const indices = new WeakMap<Conversation, RequestIndex>()
const facts = signal(snapshot(conversation.peek()))
/** How many requests had been made before the one that is looked at; `null` is now. */
export const past = signal<number | null>(null)
export const shown = computed<Shown>(() =>
  past.value === null ? facts.value : asItWas(facts.value, past.value),
)
/** How many requests the conversation has, whichever is looked at. */
export const requestCount = computed(() => facts.value.requests.length)

export const context = computed(() => {
  const { conversation: now, requests, edits, trims } = shown.value
  const last = requests.at(-1)
  const window = windowSize.value
  const cost = costWith(now.earlier, costOf(requests, prices.value))
  // After a compaction nothing was sent yet: what there is now says how full the window is.
  const size = now.earlier.at(-1)?.tokens.after ?? 0
  return {
    window,
    sent: last?.sent ?? size,
    full: last?.full ?? size,
    cached: last?.cached ?? 0,
    /** The part of the window that is filled; more than 1 where the request is larger. */
    share: (last?.sent ?? size) / window,
    /** What the requests cost, 1 for sending everything; `null` before the first. */
    relativeCost: cost.full === 0 ? null : cost.sent / cost.full,
    /** What they cost, in tokens of input. */
    cost,
    edits,
    trims,
  }
})

let stop = new AbortController()
let unsubscribe = () => {}
let isDue = false

open(conversation.peek())

function newConversation(
  format: Conversation['format'] = 'openai-chat',
  title = 'New chat',
  recording?: Recording,
): Conversation {
  const made = { id: crypto.randomUUID(), title, format, policy: policy.peek(), decider: new Desk() }
  if (recording === undefined) return new Conversation(made)
  const { history, summaries } = recording
  return new Conversation({ ...made, history, summaries })
}

/** Every conversation of the page has a worker to itself, and those that go on from it. */
export const deskOf = ({ decider }: Conversation): Desk => decider as Desk

function snapshot(of: Conversation): Shown {
  const { requests, notes } = of
  return shownOf(of, { history: of.history(), requests, notes })
}

/** What there was when a request was sent. */
function asItWas(now: Shown, at: number): Shown {
  const request = now.requests[at]
  if (request === undefined) return now
  return shownOf(now.conversation, {
    history: now.conversation.history(request.messages),
    requests: now.requests.slice(0, at + 1),
    notes: now.notes.filter(({ after }) => after < request.messages),
  })
}

function shownOf(conversation: Conversation, was: Pick<Shown, 'history' | 'requests' | 'notes'>): Shown {
  const index = indices.get(conversation) ?? new RequestIndex()
  indices.set(conversation, index)
  index.take(conversation.requests)
  const edits = index.editsAfter(was.requests.length)
  const trims = index.trims(was.requests.length)
  const { messages } = conversation
  return {
    conversation,
    ...was,
    messages,
    edits,
    trims,
    rows: rowsOf({ ...was, trims, summaries: conversation.summaries }),
  }
}

/** Looks at a request that was sent, from 0; at the last one there is nothing past. */
export function lookAt(request: number): void {
  past.value = request >= requestCount.peek() - 1 ? null : Math.max(0, request)
}

/** Shows a conversation, with the files of a chat: its own, where none is named. */
function open(next: Conversation, files: Files = {}, chat?: string): void {
  unsubscribe()
  past.value = null
  viewed.value = null
  const before = conversation.peek()
  if (before.decider !== next.decider) deskOf(before).close()
  conversation.value = next
  takeFiles(next, files, chat)
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
  const stopped = startWork()
  now.doing('Thinking')
  try {
    const { runTurn } = await import('./work.js')
    const { tools, system } = await workbench()
    const refusal = asking((call) => askUser(call, stopped), allowedIn(now))
    if (pageModel.peek() !== null) now.doing('Loading the model')
    const model = await currentModel()
    await runTurn(now, { model, tools, system, signal: stopped, refusal, now: Date.now })
  } catch (error) {
    now.doing(null)
    now.fail(reasonOf(error))
  }
}

/** What ends the work that begins now, when the user stops it. */
export function startWork(): AbortSignal {
  stop = new AbortController()
  return stop.signal
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
pageModel.subscribe(() => setPolicy(policyId.peek()))

/** Says something else in the place of a message of the user's: a chat of its own, with all that came before. */
export async function branch(message: number, text: string): Promise<void> {
  stopWork()
  const next = conversation.peek().branch(message, { id: crypto.randomUUID(), title: titleOf(text) })
  await goOnIn(next)
  showPolicyOf(next)
  next.say('user', text, Date.now())
  await work(next)
}

/** A chat of its own that stands where a request was about to be sent; behind the last one, at the end. */
export async function fork(request: number): Promise<void> {
  const now = conversation.peek()
  const length = now.requests[request]?.messages ?? now.messages.length
  stopWork()
  const isRecorded = replay.peek() !== null
  const named = { id: crypto.randomUUID(), title: titleOf(`Fork of ${now.title}`) }
  const next = now.branch(length, named, isRecorded ? Date.now() : undefined)
  await goOnIn(next)
  if (!isRecorded) showPolicyOf(next)
  // A model has its own window, and demands of its reasoning; the script goes on under the policy of the requests.
  else if (!isScripted.peek()) setPolicy(policyId.peek())
}

/** Shows the policy that a chat goes on under; one that was for another model gives way to the one that is chosen. */
function showPolicyOf({ policy: given }: Conversation): void {
  const id = policyIdOf(given)
  if (id === undefined) setPolicy(policyId.peek())
  else policyId.value = id
}

const policyIdOf = (given: Policy): PolicyId | undefined =>
  POLICY_IDS.find((id) => samePolicy(policyOf(id), steered(given, UNSTEERED)))

/** Opens a conversation that goes on from the one that is open, with its files. */
export async function goOnIn(next: Conversation): Promise<void> {
  // A recorded session has none.
  const files = replay.peek() === null ? await changedFiles() : {}
  workIn(next, folder.peek())
  setReplay(null)
  open(next, files)
}

/** Whether the model has not had its say: the history ends with a prompt or with results. */
export const isOpenEnded = computed(() => {
  const last = facts.value.history.messages.at(-1)
  const isAtRest = activity.value === null && failure.value === null && replay.value === null
  return isAtRest && past.value === null && last !== undefined && last.role !== 'assistant'
})

const titleOf = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text)

/** @param chosen The folder to work in; files in the browser where there is none. */
export function newChat(chosen: FileSystemDirectoryHandle | null = null): void {
  stopWork()
  setReplay(null)
  const next = newConversation()
  workIn(next, chosen)
  open(next)
}

/** Shows a conversation of before, with the files that it changed. */
export function openConversation(saved: Conversation, files: Files, chat?: string): void {
  stopWork()
  setReplay(null)
  policyId.value = policyIdOf(saved.policy) ?? policyId.peek()
  open(saved, files, chat)
}

const samePolicy = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

export function renameChat(name: string): void {
  conversation.peek().rename(name)
}

/** Shows a recorded session in the place of what is shown, or none. */
function setReplay(next: Replay | null): void {
  const before = replay.peek()?.recording
  if (before !== next?.recording) before?.close()
  else before?.rest()
  isAccounting.value = false
  replay.value = next
}

function replayOf(name: string, recording: Recording, isWhole: boolean): Replay {
  stopWork()
  stop = new AbortController()
  const pace = new HeldPace(stop.signal, replay.peek()?.pace.speed ?? 4)
  const { transcript, history } = recording
  return { name, recording, pace, isWhole, requests: requestsIn(history.messages, transcript.times).length }
}

/** Plays a recorded session from its start. */
async function play(name: string, recording: Recording): Promise<void> {
  const made = replayOf(name, recording, false)
  const { transcript, history } = recording
  setReplay(made)
  isPlaying.value = true
  isOver.value = false
  const now = newConversation(transcript.format, transcript.title ?? name, recording)
  open(now)
  try {
    await replaySession(now, transcript, history, made.pace)
    // The last requests wait for a frame, which a busy page draws late: what is over shows all of them.
    refresh()
    isOver.value = true
    isPlaying.value = false
  } catch (error) {
    if (!made.pace.signal.aborted) now.fail(reasonOf(error))
  }
}

/** Shows a recorded session as a whole; its requests follow as they are worked out. */
function showWhole(name: string, recording: Recording): void {
  setReplay(replayOf(name, recording, true))
  isPlaying.value = false
  isOver.value = true
  const { messages, format, title: said } = recording.transcript
  const now = newConversation(format, said ?? name, recording)
  now.append(messages)
  open(now)
  account(now, recording)
}

function account(now: Conversation, recording: Recording): void {
  const made: SentRequest[] = []
  isAccounting.value = true
  now.recorded([])
  recording.account(now.policy, {
    requests(next, state) {
      made.push(...next)
      now.recorded([...made], state)
    },
    end() {
      isAccounting.value = false
    },
    failed(reason) {
      isAccounting.value = false
      now.fail(reason)
    },
  })
}

/** Leaves the requests that are not worked out yet. */
export function stopAccounting(): void {
  replay.peek()?.recording.rest()
  isAccounting.value = false
}

/** Works out the requests of the recorded session that is shown, from the first one. */
export function accountAgain(): void {
  const recording = replay.peek()?.recording
  if (recording !== undefined) account(conversation.peek(), recording)
}

export function playAgain(): void {
  const now = replay.peek()
  if (now !== null) void play(now.name, now.recording)
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
    const recording = await readSession(new File([await response.blob()], 'Sample session'))
    if (recording !== null) await play('Sample session', recording)
  } catch (error) {
    notice.value = `The sample cannot be played: ${reasonOf(error)}`
  }
}

export async function openFile(file: File): Promise<void> {
  try {
    const recording = await readSession(file)
    if (recording !== null) showWhole(file.name, recording)
  } catch (error) {
    notice.value = reasonOf(error)
  }
}

export function setPolicy(id: PolicyId): void {
  policyId.value = id
  const now = conversation.peek()
  now.setPolicy(steered(policyOf(id), steeredOf(now.policy)))
  if (replay.peek()?.isWhole) accountAgain()
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
