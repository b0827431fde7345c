import {
  COUNT,
  called,
  checkMessages,
  checkOptions,
  countFrom,
  FUNCTION,
  readable,
  SIGNAL,
} from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { FORMAT } from '../base/format.js'
import { asRecord, given } from '../base/json.js'
import { orAborted } from '../base/or-aborted.js'
import { wellFormed } from '../base/text.js'
import { readConversation, writeConversation } from '../formats/convert.js'
import type { BlockFacts, Format } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import { usage } from '../history/lookups.js'
import { type NeutralHistory, neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { cleanupEphemeralMessages } from '../recipes/cleanup.js'
import { type Event, eventsOf } from '../timeline/tool-uses.js'
import { type DroppedMessages, findCut } from './cut.js'
import { exchangesIn, instructs } from './exchanges.js'
import { mechanicalSummary } from './mechanical.js'
import { promptOf } from './prompt.js'
import { isSummary, messagesBehind, summaryMessage } from './summary-message.js'

/**
 * Asks the host's model for a summary. `messages` are the messages that the prompt contains as text, for a host that
 * sends them itself or lets the provider compact them: it then returns the provider's message, which is used as it is.
 */
export type Summarize = (
  prompt: string,
  options: { signal: AbortSignal | undefined; messages: readonly object[] },
) => Promise<string | object> | string | object

/** Options of {@link compact}. */
export interface CompactOptions extends FormatOptions {
  /** The host's model. If absent, the summary is built mechanically. */
  summarize?: Summarize | undefined
  /** Size in estimated tokens from which a history is compacted; 0 always compacts. Default 100,000. */
  threshold?: number | undefined
  /** Number of newest messages to keep unchanged. Default 20. */
  keepRecentMessages?: number | undefined
  /** Maximum characters of a tool result in the prompt. Default 5000. */
  maxToolResultLength?: number | undefined
  signal?: AbortSignal | undefined
}

/** Result of {@link compact}. */
export interface Compaction<M extends object = object> {
  /** The history to continue with. */
  messages: M[]
  compacted: boolean
  /** Why the history was not compacted; `null` if it was. */
  reason: 'below-threshold' | 'nothing-to-drop' | 'no-gain' | null
  /**
   * Summary that replaces the dropped messages; `null` if nothing was compacted or the provider's own compaction is
   * used.
   */
  summary: string | null
  by: 'model' | 'provider' | 'mechanical' | null
  /** Why the model's summary was not used; absent if it was used, or if there is no model. */
  failure?: unknown
  dropped: DroppedMessages
  /** In estimated tokens. */
  tokensBefore: number
  tokensAfter: number
  /** The whole history as passed in: for recall and the timeline, and to be stored. */
  history: readonly M[]
}

const THRESHOLD = countFrom(0, Number.MAX_SAFE_INTEGER)
const OPTIONS = {
  summarize: called(FUNCTION, 'a function that asks the model'),
  threshold: THRESHOLD,
  keepRecentMessages: COUNT,
  maxToolResultLength: COUNT,
  signal: SIGNAL,
  format: FORMAT,
}

/**
 * Replaces the older part of a history with a summary in five sections, once the history has reached a size. System
 * messages, the newest messages and the user's last message stay unchanged; calls stay with their results; ephemeral
 * content is removed first and appears in no prompt. The input is not changed.
 *
 * A compaction made by the provider stays first, unchanged, and the messages it replaces are dropped; a newer one
 * replaces it.
 *
 * If the model fails, returns nothing, or returns more than it replaces, a mechanical summary is used instead, and
 * `failure` says why.
 *
 * @throws {TrimtabError} `invalid_option`; as `project`. The signal's reason, if it was aborted.
 */
export async function compact<M extends object>(
  messages: readonly M[],
  options: CompactOptions = {},
): Promise<Compaction<M>> {
  // The result has the host's own list.
  return { ...(await compacted(checkMessages(messages), options)), history: messages }
}

async function compacted<M extends object>(
  messages: readonly M[],
  options: CompactOptions,
): Promise<Compaction<M>> {
  options = checkOptions(options, OPTIONS, 'compact')
  const { signal } = options
  const { threshold = DEFAULT_THRESHOLD, keepRecentMessages: keep = 20 } = options
  signal?.throwIfAborted()
  const tokensBefore = tokensOf(messages, options)
  const untouched = (reason: Compaction['reason']) => unchanged(messages, tokensBefore, reason)
  if (messages.length === 0 || tokensBefore < threshold) return untouched('below-threshold')
  const part = divide(messages, keep, options)
  if (part.summarised.length < LEAST_MESSAGES) return untouched('nothing-to-drop')
  const mechanical = mechanicalOf(part)
  const put = (made: Summary) => {
    const shorter = putTogether(part, made, messages)
    // The provider's message may show a format that texts alone do not.
    const tokensAfter = tokensOf(shorter, made.by === 'provider' ? options : part.history)
    return { made, shorter, tokensAfter }
  }
  let { made, shorter, tokensAfter } = put(await summarise(part, mechanical, options))
  if (made.by !== 'mechanical' && tokensAfter >= tokensBefore)
    ({ made, shorter, tokensAfter } = put({ ...mechanical(), failure: tooLong() }))
  if (tokensAfter >= tokensBefore) return untouched('no-gain')
  const { message: _, ...told } = made
  return {
    messages: shorter,
    compacted: true,
    reason: null,
    ...told,
    dropped: part.dropped,
    tokensBefore,
    tokensAfter,
    history: messages,
  }
}

/**
 * Builds the compacted history: system messages, the provider's compaction, the summary, the user's last message, the
 * kept messages. Anthropic accepts system messages only further down.
 */
function putTogether<M extends object>(
  part: Division<M>,
  { summary, message }: Summary,
  messages: readonly M[],
): M[] {
  const { compaction, history, kept, lastPrompt, systems } = part
  const stands =
    summary === null
      ? [message as M]
      : [...compaction, summaryMessage(summary, messagesIn(part), history.format, messages)]
  const rest = [...stands, ...lastPrompt, ...kept]
  const at = history.format === 'anthropic' ? placeOfInstructions(rest) : 0
  return [...rest.slice(0, at), ...systems, ...rest.slice(at)]
}

/**
 * Returns where Anthropic accepts system messages first: between a message of the user and one of the assistant, or at the
 * end.
 */
function placeOfInstructions(messages: readonly object[]): number {
  const roles = messages.map((message) => ('role' in message ? message.role : undefined))
  const at = roles.findIndex((role, i) => role === 'user' && roles[i + 1] !== 'user')
  return at < 0 ? roles.length : at + 1
}

/** The number of messages that the summary stands for, with those behind an earlier summary among them. */
function messagesIn({ dropped: { indices }, events }: Division<object>): number {
  const own = new Set(indices)
  const prompts = events.filter((event) => event.kind === 'prompt')
  const dropped = prompts.filter(({ message }) => own.has(message))
  return dropped.reduce((sum, { text }) => sum + messagesBehind(text) - 1, own.size)
}

/** Whether the history has reached the size at which {@link compact} compacts it. */
export function shouldCompact(
  messages: readonly object[],
  options: FormatOptions & { threshold?: number | undefined } = {},
): boolean {
  messages = checkMessages(messages)
  options = checkOptions(options, { threshold: THRESHOLD, format: FORMAT }, 'shouldCompact')
  const { threshold = DEFAULT_THRESHOLD } = options
  return messages.length > 0 && tokensOf(messages, options) >= threshold
}

/** Default size in estimated tokens from which a history is compacted. */
const DEFAULT_THRESHOLD = 100_000

/** A summary of fewer messages is longer than they are. */
const LEAST_MESSAGES = 2

interface Division<M> {
  /** The history without ephemeral content. */
  history: NeutralHistory
  systems: M[]
  /** The provider's own compaction, if the cut would drop it. */
  compaction: M[]
  /** The user's last message, if the cut would drop it. */
  lastPrompt: M[]
  kept: M[]
  /** Messages that the model summarises, including the user's last message. */
  told: M[]
  events: Event[]
  dropped: DroppedMessages
  /** Indices of dropped messages that no earlier compaction covers. */
  summarised: number[]
}

function divide<M extends object>(
  messages: readonly M[],
  keep: number,
  options: CompactOptions,
): Division<M> {
  const clean = cleanupEphemeralMessages(messages, given({ format: options.format }))
  const history = neutralHistory(clean, options.format)
  const blocks = history.blocks()
  const events = eventsOf(history)
  const parts = historyFor(clean, options.format)
  // The part of a call that is a message of its own is a field of it.
  const partOf = ({ message, block }: BlockFacts) =>
    asRecord(parts.partOf(clean, message, block)) ?? clean[message]
  // Their fields are the host's.
  const { exchanges, systemAt } = readable(
    'messages',
    () => ({
      exchanges: exchangesIn(blocks, partOf),
      systemAt: new Set(blocks.flatMap((block) => (instructs(block, partOf) ? [block.message] : []))),
    }),
    'unreadable_message',
  )
  const cut = findCut(clean.length, keep, blocks, events, exchanges)
  const promptAt = events.findLast(
    (event) => event.kind === 'prompt' && !isSummary(clean[event.message] as M),
  )?.message
  const isLost = promptAt !== undefined && promptAt < cut
  const answers = new Set(events.flatMap((event) => (event.kind === 'use' ? [event.result?.message] : [])))
  const isPlain = isLost && !answers.has(promptAt)
  const indices = [...clean.keys()].filter(
    (at) => at < cut && !systemAt.has(at) && !(isPlain && at === promptAt),
  )
  const compaction = blocks.findLast((block) => block.isCompaction)?.message
  const start = compaction ?? 0
  const own = new Set(indices)
  const tokens = blocks.reduce((sum, block) => sum + (own.has(block.message) ? block.tokens : 0), 0)
  const old = clean.slice(0, cut)
  return {
    history,
    systems: old.filter((_, at) => systemAt.has(at)),
    compaction: compaction !== undefined && start < cut ? [compactionAlone(clean[start] as M)] : [],
    lastPrompt: isLost
      ? [isPlain ? (clean[promptAt] as M) : (promptAlone(clean, promptAt, history.format) as M)]
      : [],
    kept: clean.slice(cut),
    told: old.filter((_, at) => at >= start && !systemAt.has(at)),
    events,
    dropped: { indices, tokens },
    summarised: indices.filter((at) => at >= start),
  }
}

/** Returns the message with the provider's compaction alone, without the rest of the answer in it. */
function compactionAlone<M extends object>(message: M): M {
  const list = 'parts' in message ? 'parts' : 'content'
  const blocks = (message as Record<string, unknown>)[list] as readonly CompactionPart[]
  return blocks.length === 1 ? message : { ...message, [list]: [blocks.findLast(isCompactionPart)] }
}

interface CompactionPart {
  type?: unknown
  content?: unknown
  providerOptions?: { anthropic?: { type?: unknown } }
  providerMetadata?: { anthropic?: { type?: unknown } }
}

/** Accepts Anthropic's form, and the AI SDK's: a text part with its type in the provider's options. */
function isCompactionPart({ type, content, providerOptions, providerMetadata }: CompactionPart): boolean {
  const options = providerOptions ?? providerMetadata
  return (type === 'compaction' && typeof content === 'string') || options?.anthropic?.type === 'compaction'
}

/** Returns the user's text from a message that also holds results of dropped calls. */
function promptAlone(messages: readonly object[], at: number, format: Format): object {
  const said = readConversation(messages, format).find(
    (message) => message.role === 'user' && message.at === at,
  )
  return writeConversation(said === undefined ? [] : [said], format)[0] ?? (messages[at] as object)
}

/** Summary of the older part; `message` if it is the provider's own. */
type Summary = Pick<Compaction, 'by' | 'failure' | 'summary'> & { message?: object }

/**
 * Builds a summary without a model. Reads the assistant's last text immediately: the host may change its messages while
 * its model works.
 */
function mechanicalOf<M extends object>({
  dropped,
  events,
  history,
  summarised,
}: Division<M>): () => Summary {
  const last = lastWords(history, summarised)
  const own = { ...dropped, indices: summarised }
  return () => ({ summary: mechanicalSummary(events, own, last), by: 'mechanical' })
}

async function summarise<M extends object>(
  { told: messages, history }: Division<M>,
  mechanical: () => Summary,
  { format, maxToolResultLength, signal, summarize }: CompactOptions,
): Promise<Summary> {
  if (summarize === undefined) return mechanical()
  try {
    const prompt = promptOf(neutralHistory(messages, history.format), maxToolResultLength)
    const summary = await orAborted(summarize(prompt, { signal, messages }), signal)
    signal?.throwIfAborted()
    if (typeof summary === 'string' && summary.trim() !== '')
      return { summary: wellFormed(summary.trim()), by: 'model' }
    if (isProviders(summary, messages, format)) return { summary: null, by: 'provider', message: summary }
    const failure = new TrimtabError('invalid_option', SUMMARY_WANTED, { argument: 'summarize' })
    return { ...mechanical(), failure }
  } catch (failure) {
    signal?.throwIfAborted()
    return { ...mechanical(), failure }
  }
}

const tooLong = () =>
  new TrimtabError('invalid_option', 'the summary is not shorter than the messages it replaces', {
    argument: 'summarize',
  })

const SUMMARY_WANTED =
  "summarize must return the summary as text, or the provider's message with its compaction"

/**
 * Whether the value is a message that holds a provider's compaction. It is read after the messages it stands for: texts
 * alone have no provider's form, and may have been taken for another's.
 */
function isProviders(
  summary: unknown,
  messages: readonly object[],
  format: Format | undefined,
): summary is object {
  if (typeof summary !== 'object' || summary === null) return false
  return neutralHistory([...messages, summary], format)
    .blocks()
    .some(({ isCompaction, message }) => isCompaction && message === messages.length)
}

/** Returns the assistant's last text in the given messages, without calls. */
function lastWords(history: NeutralHistory, indices: readonly number[]): string {
  const ofAssistant = indices.filter((at) => history.messages[at]?.role === 'assistant')
  return ofAssistant.map((at) => history.saidIn(at).trim()).findLast((text) => text !== '') ?? ''
}

function unchanged<M extends object>(
  messages: readonly M[],
  tokens: number,
  reason: Compaction['reason'],
): Compaction<M> {
  return {
    messages: [...messages],
    compacted: false,
    reason,
    summary: null,
    by: null,
    dropped: { indices: [], tokens: 0 },
    tokensBefore: tokens,
    tokensAfter: tokens,
    history: messages,
  }
}

/** Estimated tokens of all messages. */
function tokensOf(messages: readonly object[], { format }: FormatOptions): number {
  return usage(historyFor(messages, format), messages).total
}
