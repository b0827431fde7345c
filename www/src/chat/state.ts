import { computed, signal } from '@preact/signals'
import type { BlockFacts, Policy } from 'trimtab'
import type { Prices } from 'trimtab/money'
import { asking } from './agent/approval.js'
import { Conversation } from './agent/conversation.js'
import type { Draft } from './agent/draft.js'
import { isUnanswered } from './agent/history.js'
import { HeldPace } from './agent/pace.js'
import type { Files } from './agent/places.js'
import { reasonOf } from './agent/reason.js'
import { requestsIn } from './agent/recorded-requests.js'
import { replaySession } from './agent/replay-session.js'
import { costOf, type SentRequest } from './agent/requests.js'
import { costWith } from './agent/segments.js'
import { askUser } from './approval.js'
import { beforePaint } from './before-paint.js'
import { chosenPrices, ownPrices, pricesNamed } from './comparison/prices.js'
import { shortened } from './content/portion.js'
import { Desk } from './desk.js'
import { changedFiles, folder, takeFiles, workbench, workIn } from './files.js'
import { connection, currentFormat, currentModel } from './models/current.js'
import { pageModel } from './models/page-model.js'
import { newId } from './new-id.js'
import { notice, readSession } from './opening.js'
import { answeringOverhead, seenOverhead } from './overhead.js'
import {
  asSimulated,
  type PolicyId,
  policyFor,
  policyIdOf,
  type Steered,
  steered,
  steeredOf,
  UNSTEERED,
} from './policies.js'
import type { Recording } from './recording.js'
import { asItWas, type Replay, type Shown, snapshot } from './shown.js'
import { started } from './starting.js'
import { viewed } from './viewed.js'

await started

/** Context window in tokens for the scripted model and for a recorded session. */
const WINDOWS = { script: 32_000, replay: 200_000 }

/** The default policy. */
export const FIRST_POLICY: PolicyId = 'cache-aware'
export const policyId = signal<PolicyId>(FIRST_POLICY)
/** The recorded session on display, if any. */
export const replay = signal<Replay | null>(null)
/** Context window, in tokens, of the model that answers now. */
export const answeringWindow = computed(() => (connection.value ?? pageModel.value)?.window ?? WINDOWS.script)
const windowSize = computed(() => (replay.value === null ? answeringWindow.value : WINDOWS.replay))
/** Name of the prices used everywhere in the page. A recorded session does not say which model answered it. */
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
/** The selected policy. */
export const policy = computed(() => policyOf(policyId.value))
const conversation = signal<Conversation>(newConversation())
const changes = signal(0)

export const isPlaying = signal(false)
/** Whether the requests of a recorded session are still being computed. */
export const isAccounting = signal(false)
/** Whether a replay has ended. */
export const isOver = signal(false)
export const draft = signal<Draft | null>(null)
export const activity = signal<string | null>(null)
export const failure = signal<string | null>(null)
/** `retryAt` of the conversation. */
export const retryAt = signal<number | null>(null)

const facts = signal(snapshot(conversation.peek()))
/** Index of the past request on display; `null` for the present. */
export const past = signal<number | null>(null)
export const shown = computed<Shown>(() =>
  past.value === null ? facts.value : asItWas(facts.value, past.value),
)
/** Number of requests of the conversation, whether or not a past one is on display. */
export const requestCount = computed(() => facts.value.requests.length)

export const context = computed(() => {
  const { conversation: now, requests, edits, trims } = shown.value
  const last = requests.at(-1)
  const window = windowSize.value
  const cost = costWith(now.earlier, costOf(requests, prices.value))
  // No request was sent since a compaction: the size after it says how full the window is.
  const size = now.earlier.at(-1)?.tokens.after ?? 0
  const overhead = last === undefined && size > 0 ? answeringOverhead.value : (last?.overhead ?? 0)
  const sent = (last?.sent ?? size) + overhead
  return {
    window,
    sent,
    full: (last?.full ?? size) + overhead,
    cached: (last?.cached ?? 0) + (requests.at(-2)?.overhead === overhead ? overhead : 0),
    /** Tokens of the system prompt and the tools, in each of these figures. */
    overhead,
    /** Share of the window that is filled; more than 1 if the request is larger. */
    share: sent / window,
    /** Cost of the requests relative to sending everything (1); `null` before the first. */
    relativeCost: cost.full === 0 ? null : cost.sent / cost.full,
    /** Cost in tokens of input. */
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
  const made = { id: newId(), title, format, policy: policy.peek(), decider: new Desk() }
  if (recording === undefined) return new Conversation(made)
  const { history, summaries } = recording
  return new Conversation({ ...made, history, summaries })
}

/** Returns the worker of a conversation; it is shared with the conversations that continue it. */
export const deskOf = ({ decider }: Conversation): Desk => decider as Desk

/** Shows the state at a request, counted from 0; for the last one, the present. */
export function lookAt(request: number): void {
  past.value = request >= requestCount.peek() - 1 ? null : Math.max(0, request)
}

/** Opens a conversation with the files of a chat; by default its own. */
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
    beforePaint(refresh)
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
  retryAt.value = now.retryAt
  seenOverhead.value = now.requests.at(-1)?.overhead ?? seenOverhead.peek()
  changes.value += 1
}

/** Sends a message to the model and runs its turn. */
export async function send(text: string): Promise<void> {
  const now = conversation.peek()
  if (now.messages.length === 0) now.rename(titleOf(text))
  await prompt(now, text)
}

async function prompt(now: Conversation, text: string): Promise<void> {
  // Converted answers lose what their provider requires with the next request, such as signatures.
  now.startIn(currentFormat())
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

/** Returns the signal that aborts the work now starting if the user stops it. */
export function startWork(): AbortSignal {
  stop = new AbortController()
  return stop.signal
}

/** Whether all file changes are allowed, by conversation, until the page is closed. */
const allowed = new WeakMap<Conversation, { all: boolean }>()

function allowedIn(now: Conversation): { all: boolean } {
  const known = allowed.get(now) ?? { all: false }
  allowed.set(now, known)
  return known
}

export function stopWork(): void {
  stop.abort(new DOMException('Stopped by the user', 'AbortError'))
}

/** Repeats a failed request; completed steps are kept. */
export const retry = (): Promise<void> => work(conversation.peek())

// Another model has another context window.
connection.subscribe(() => setPolicy(policyId.peek()))
pageModel.subscribe(() => setPolicy(policyId.peek()))

/** Starts a new chat in which another text replaces a message of the user; the messages before it are kept. */
export async function branch(message: number, text: string): Promise<void> {
  const next = await openBranch(message, titleOf(text))
  await prompt(next, text)
}

/** Starts a new chat that ends with the prompt before a message; the model answers it again. */
export async function answerAgain(message: number): Promise<void> {
  const now = conversation.peek()
  const isPrompt = ({ role, kind }: BlockFacts) => role === 'user' && kind === 'text'
  const prompt = now.history(message).messages.findLastIndex(({ blocks }) => blocks.some(isPrompt))
  if (prompt !== -1) await work(await openBranch(prompt + 1, now.title))
}

/** Starts a new chat with the messages that a request sent; with an index past the last request, with all messages. */
export async function fork(request: number): Promise<void> {
  const now = conversation.peek()
  await openBranch(now.requests[request]?.messages ?? now.messages.length, titleOf(`Fork of ${now.title}`))
}

/** Opens a branch with the first `length` messages of the open chat. */
async function openBranch(length: number, named: string): Promise<Conversation> {
  const isRecorded = replay.peek() !== null
  stopWork()
  const chat = { id: newId(), title: named, made: Date.now() }
  const next = conversation.peek().branch(length, chat, isRecorded ? chat.made : undefined)
  await goOnIn(next)
  if (!isRecorded) showPolicyOf(next)
  // A model has its own window and its own rules for reasoning; the scripted model continues under the requests'
  // policy.
  else if (!isScripted.peek()) setPolicy(policyId.peek())
  return next
}

/**
 * Selects the policy that a chat continues under. If that policy was for another model, the selected policy applies
 * instead.
 */
function showPolicyOf({ policy: given }: Conversation): void {
  const id = policyIdOf(given, policyOf)
  if (id === undefined) setPolicy(policyId.peek())
  else policyId.value = id
}

/** Opens a conversation that continues the open one, with its files. */
export async function goOnIn(next: Conversation): Promise<void> {
  // A recorded session has no files.
  const files = replay.peek() === null ? await changedFiles() : {}
  workIn(next, folder.peek())
  setReplay(null)
  open(next, files)
}

/** Whether the present of a chat is shown, and nothing is going on in it. */
const isAtRest = computed(
  () => activity.value === null && failure.value === null && replay.value === null && past.value === null,
)

/** Whether the model still has to answer: the history ends with a prompt or with results. */
export const isOpenEnded = computed(() => isAtRest.value && isUnanswered(facts.value.history))

/** Whether the history ends with an answer that was interrupted when the page was closed. */
export const isInterrupted = computed(() => {
  const { notes, messages } = facts.value
  const last = notes.at(-1)
  return isAtRest.value && last?.kind === 'interrupted' && last.after === messages.length
})

/** Maximum length of a title: lists cut longer ones off where they have no room. */
const TITLE = 200

/** The title that a text gives a chat: one line. */
const titleOf = (text: string) =>
  shortened(
    text
      .slice(0, 2 * TITLE)
      .trim()
      .replace(/\s+/g, ' '),
    TITLE,
  )

/** @param chosen The folder to work in; `null` for files in the browser. */
export function newChat(chosen: FileSystemDirectoryHandle | null = null): void {
  stopWork()
  setReplay(null)
  const next = newConversation()
  workIn(next, chosen)
  open(next)
}

/** Opens a saved conversation with the files that it changed. */
export function openConversation(saved: Conversation, files: Files, chat?: string): void {
  stopWork()
  setReplay(null)
  policyId.value = policyIdOf(saved.policy, policyOf) ?? policyId.peek()
  open(saved, files, chat)
}

export function renameChat(name: string): void {
  conversation.peek().rename(name)
}

/** Shows a recorded session, or none. Closes the one before; if it is the same, cancels its computation. */
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
  const now = newConversation(transcript.format, titleOf(transcript.title ?? name), recording)
  open(now)
  try {
    await replaySession(now, transcript, history, made.pace)
    // The last requests wait for a frame, which a busy page draws late: refresh now, so that the finished replay shows
    // them.
    refresh()
    isOver.value = true
    isPlaying.value = false
  } catch (error) {
    if (!made.pace.signal.aborted) now.fail(reasonOf(error))
  }
}

/** Shows a recorded session as a whole; its requests are added as they are computed. */
function showWhole(name: string, recording: Recording): void {
  setReplay(replayOf(name, recording, true))
  isPlaying.value = false
  isOver.value = true
  const { messages, format, title: said } = recording.transcript
  const now = newConversation(format, titleOf(said ?? name), recording)
  now.append(messages)
  open(now)
  account(now, recording)
}

function account(now: Conversation, recording: Recording): void {
  const made: SentRequest[] = []
  isAccounting.value = true
  now.resumeTrimming()
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

/** Cancels the computation of requests; the rest stay unknown. */
export function stopAccounting(): void {
  replay.peek()?.recording.rest()
  isAccounting.value = false
}

/** Computes the requests of the recorded session on display again, from the first one. */
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

/** Plays the package's sample session, which is served with the page. */
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

/** Includes a call and its result in every request, excludes it from all, or leaves it to the policy (`null`). */
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
/** The user's decisions about single calls, by call id. */
export const steeredCalls = computed<ReadonlyMap<string, keyof Steered>>(() => {
  const { pinned, excluded } = decided.value
  return new Map([
    ...pinned.map((id) => [id, 'pinned'] as const),
    ...excluded.map((id) => [id, 'excluded'] as const),
  ])
})
/** Whether the user undid a trim, which pauses the policy; updated when the conversation changes. */
export const isPaused = computed(() => changes.value >= 0 && conversation.value.isPaused)
export const title = computed(() => (changes.value >= 0 ? conversation.value.title : ''))
