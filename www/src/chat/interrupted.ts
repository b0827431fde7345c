import { computed, effect, signal } from '@preact/signals'
import { readStored, writeStored } from '../storage.js'
import type { Conversation } from './agent/conversation.js'
import { activity, replay, shown } from './state.js'
import { holdLock, isHeld, takeLock, whenFree } from './tab-locks.js'

/** The part of an answer that had arrived after so many messages. */
interface Partial {
  readonly after: number
  readonly text: string
}

/** The conversation that this tab lets a model answer. */
interface Answering {
  readonly conversation: Conversation
  /** Number of messages before the part that is stored; `null` if none is. */
  after: number | null
  /** Lets other tabs use the part that is stored. */
  release(): void
}

/** The chat that another tab answers in, as far as this tab looked. */
const taken = signal('')
/** Whether another tab answers in the open chat. */
export const isAnsweredElsewhere = computed(() => taken.value === shown.value.conversation.id)

const nameOf = (chat: string) => `trimtab.partial.${chat}`
const lockOf = (chat: string) => `trimtab.answering.${chat}`

/** Least time between two writes of an answer, in milliseconds. */
const PERIOD = 1000
/** Longest text that is written per millisecond on average: a long answer is written more rarely. */
const RATE = 100

/** Time that another tab has to save its last changes, in milliseconds, before it counts as answering. */
const PATIENCE = 1000

/** Tells the other tabs of the chats that this one starts to answer in. */
const others = new BroadcastChannel('trimtab.answering')

let answering: Answering | null = null
/** Whether the answer is being stored from time to time. */
let isWatching = false

/**
 * Stores the answer that is streaming, in case the page ends: from time to time, as a browser or a tab may be killed,
 * and when the page is closed, as a worker would be ended before it has saved it.
 */
export function keepPartialAnswers(): void {
  effect(() => {
    if (activity.value !== null && replay.value === null) watch(shown.peek().conversation)
  })
  others.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { conversation } = shown.peek()
    if (data === conversation.id && activity.peek() === null) void addPartialAnswer(conversation)
  }
  addEventListener('pagehide', storePartialAnswer)
  // The browser kept the page in memory: the answer may still arrive as a whole.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) forgetPartialAnswer(shown.peek().conversation.id)
  })
}

function watch(conversation: Conversation): void {
  hold(conversation)
  if (isWatching) return
  isWatching = true
  setTimeout(storeAgain, PERIOD)
}

/** Holds the lock of a conversation. The browser releases it if the page ends. */
function hold(conversation: Conversation): void {
  if (answering?.conversation === conversation) return
  releaseTurn()
  const { id } = conversation
  answering = { conversation, after: null, release: holdLock(lockOf(id), () => others.postMessage(id)) }
}

/**
 * Makes this tab the one that answers in a conversation, so that the agents of two tabs never work on the same files;
 * returns `false` if another tab is.
 */
export async function claimTurn(conversation: Conversation): Promise<boolean> {
  if (answering?.conversation === conversation) return true
  if (isAnsweredElsewhere.peek()) return false
  releaseTurn()
  const release = await takeLock(lockOf(conversation.id), PATIENCE)
  if (release === null) return false
  answering = { conversation, after: null, release }
  others.postMessage(conversation.id)
  return true
}

function storeAgain(): void {
  const length = storePartialAnswer()
  isWatching = activity.peek() !== null
  if (isWatching) setTimeout(storeAgain, Math.max(PERIOD, length / RATE))
}

/** Stores the answer that is streaming in the open conversation, if any; returns the length of its text. */
export function storePartialAnswer(): number {
  const { conversation } = shown.peek()
  const text = conversation.draft?.text.trim() ?? ''
  if (text === '' || replay.peek() !== null) return 0
  const after = conversation.messages.length
  if (answering?.conversation === conversation) answering.after = after
  writeStored(nameOf(conversation.id), JSON.stringify({ after, text } satisfies Partial))
  return text.length
}

/**
 * Called when so many messages of a conversation are saved: removes the stored part of an answer that they contain, and
 * releases the lock when nothing is streaming.
 */
export function noteSavedMessages(conversation: Conversation, messages: number): void {
  if (answering?.conversation !== conversation) return
  if (answering.after !== null) {
    if (answering.after >= messages) return
    forgetPartialAnswer(conversation.id)
    answering.after = null
  }
  if (conversation.draft === null && conversation.activity === null) releaseTurn()
}

/** Lets other tabs answer in the conversation that this tab answered in. */
export function releaseTurn(): void {
  answering?.release()
  answering = null
}

let waiting = new AbortController()

/**
 * Adds the part of an answer that was stored for the open conversation, unless it has gone on since. While another tab
 * answers there, waits: it may be closed too.
 */
export async function addPartialAnswer(conversation: Conversation): Promise<void> {
  const { id } = conversation
  waiting.abort()
  waiting = new AbortController()
  const { signal: ended } = waiting
  releaseTurn()
  const isTaken = await isHeld(lockOf(id))
  if (ended.aborted) return
  taken.value = isTaken ? id : ''
  whenFree(lockOf(id), ended, () => {
    taken.value = ''
    return addTo(conversation)
  })
}

/** Returns a promise for the moment from which another tab may add the same part. */
function addTo(conversation: Conversation): Promise<void> | null {
  const partial = read(conversation.id)
  if (partial === null || shown.peek().conversation !== conversation || conversation.activity !== null)
    return null
  if (partial.after !== conversation.messages.length) {
    forgetPartialAnswer(conversation.id)
    return null
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  // Stays stored until the chat is saved with it: the page may be closed again before.
  answering = { conversation, after: partial.after, release: resolve }
  conversation.interrupted(partial.text, Date.now())
  return promise
}

export const forgetPartialAnswer = (chat: string) => writeStored(nameOf(chat), null)

function read(chat: string): Partial | null {
  try {
    const { after, text } = JSON.parse(readStored(nameOf(chat)) ?? 'null') as Partial
    return typeof after === 'number' && typeof text === 'string' ? { after, text } : null
  } catch {
    return null
  }
}
