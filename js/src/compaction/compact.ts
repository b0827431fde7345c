import { COUNT, called, checkMessages, checkOptions, countFrom, FUNCTION, SIGNAL } from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { FORMAT } from '../base/format.js'
import { orAborted } from '../base/or-aborted.js'
import { readConversation, writeConversation } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import { type NeutralHistory, neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { cleanupEphemeralMessages } from '../recipes/cleanup.js'
import { type Event, eventsOf } from '../timeline/tool-uses.js'
import { type DroppedMessages, findCut } from './cut.js'
import { mechanicalSummary } from './mechanical.js'
import { compactionPrompt } from './prompt.js'
import { isSummary, summaryMessage } from './summary-message.js'

/**
 * Asks the host's model. `messages` are those that the prompt holds as text, for a host that would rather send them, or has the
 * provider compact them: it answers with the provider's message then, which is taken as it is.
 */
export type Summarize = (
  prompt: string,
  options: { signal: AbortSignal | undefined; messages: readonly object[] },
) => Promise<string | object> | string | object

/** Options of {@link compact}. */
export interface CompactOptions extends FormatOptions {
  /** The host's model. Without it the summary is put together mechanically. */
  summarize?: Summarize
  /** Estimated tokens from which a history is compacted; 0 compacts in any case. Default 100,000. */
  threshold?: number
  /** How many of the newest messages stay as they are. Default 20. */
  keepRecentMessages?: number
  /** Characters of a tool result that the prompt shows. Default 5000. */
  maxToolResultLength?: number
  signal?: AbortSignal
}

/** What {@link compact} gives. */
export interface Compaction<M extends object = object> {
  /** The history to go on with. */
  messages: M[]
  compacted: boolean
  /** Why nothing was done; `null` where something was. */
  reason: 'below-threshold' | 'nothing-to-drop' | 'no-gain' | null
  /** The summary that replaces the dropped messages; `null` if it is the provider's own compaction. */
  summary: string | null
  by: 'model' | 'provider' | 'mechanical' | null
  /** Why the model's summary was not used; absent where there was one, or no model. */
  failure?: unknown
  dropped: DroppedMessages
  /** Estimated tokens. */
  tokensBefore: number
  tokensAfter: number
  /** The whole history, as it was given: for recall, the timeline, and to be kept. */
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
 * Replaces the older part of a history by a summary in five sections, once it has reached a size. System messages, the
 * newest messages and the last message of the user stay as they are; calls stay with their results; ephemeral content
 * is taken out first and is in no prompt. The history itself is not changed.
 *
 * A compaction by the provider stays first, unchanged, and the messages it replaces are dropped; a newer one replaces
 * it.
 *
 * A model that fails, answers nothing, or more than there was, costs its summary and not the turn: a mechanical one takes its
 * place, and `failure` says why.
 *
 * @throws {TrimtabError} `invalid_option`; as `project`. The signal's reason, when it was aborted.
 */
export async function compact<M extends object>(
  messages: readonly M[],
  options: CompactOptions = {},
): Promise<Compaction<M>> {
  checkMessages(messages)
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
  const put = (made: Summary) => ({ made, compacted: putTogether(part, made, messages) })
  let { made, compacted } = put(await summarise(part, mechanical, options))
  if (made.by !== 'mechanical' && tokensOf(compacted, part.history) >= tokensBefore)
    ({ made, compacted } = put({ ...mechanical(), failure: tooLong() }))
  const tokensAfter = tokensOf(compacted, part.history)
  if (tokensAfter >= tokensBefore) return untouched('no-gain')
  const { message: _, ...told } = made
  return {
    messages: compacted,
    compacted: true,
    reason: null,
    ...told,
    dropped: part.dropped,
    tokensBefore,
    tokensAfter,
    history: messages,
  }
}

/** The history to go on with: what stands for the older part, and what stays. */
function putTogether<M extends object>(
  part: Division<M>,
  { summary, message }: Summary,
  messages: readonly M[],
): M[] {
  const { compaction, dropped, history, kept, lastPrompt, systems } = part
  const stands =
    summary === null
      ? [message as M]
      : [...compaction, summaryMessage(summary, dropped.indices.length, history.format, messages)]
  return [...systems, ...stands, ...lastPrompt, ...kept]
}

/** Whether {@link compact} would find the history large enough. */
export function shouldCompact(
  messages: readonly object[],
  options: FormatOptions & { threshold?: number } = {},
): boolean {
  checkMessages(messages)
  options = checkOptions(options, { threshold: THRESHOLD, format: FORMAT }, 'shouldCompact')
  const { threshold = DEFAULT_THRESHOLD } = options
  return messages.length > 0 && tokensOf(messages, options) >= threshold
}

/** Estimated tokens from which a history is compacted. */
const DEFAULT_THRESHOLD = 100_000

/** A summary of less is longer than what it stands for. */
const LEAST_MESSAGES = 2

interface Division<M> {
  /** Without ephemeral content. */
  history: NeutralHistory
  systems: M[]
  /** What the provider made of an earlier part, where it would have been dropped. */
  compaction: M[]
  /** The last message of the user, where it would have been dropped. */
  lastPrompt: M[]
  kept: M[]
  /** What is to be summarised as the model is told of it: with the last prompt. */
  told: M[]
  events: Event[]
  dropped: DroppedMessages
  /** Those of them that no compaction stands for yet. */
  summarised: number[]
}

function divide<M extends object>(
  messages: readonly M[],
  keep: number,
  options: CompactOptions,
): Division<M> {
  const clean = cleanupEphemeralMessages(messages, formatOf(options))
  const history = neutralHistory(clean, options.format)
  const blocks = history.blocks()
  const events = eventsOf(history)
  const cut = findCut(clean.length, keep, blocks, events)
  const systemAt = new Set(blocks.flatMap(({ message, role }) => (role === 'system' ? [message] : [])))
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

/** The provider's compaction without the rest of the answer that it began. */
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

/** As Anthropic has it, or as the AI SDK gives it: a text with its type in the provider's options. */
function isCompactionPart({ type, content, providerOptions, providerMetadata }: CompactionPart): boolean {
  const options = providerOptions ?? providerMetadata
  return (type === 'compaction' && typeof content === 'string') || options?.anthropic?.type === 'compaction'
}

/** What the user said in a message that also holds results, whose calls are gone. */
function promptAlone(messages: readonly object[], at: number, format: Format): object {
  const said = readConversation(messages, format).find(
    (message) => message.role === 'user' && message.at === at,
  )
  return writeConversation(said === undefined ? [] : [said], format)[0] ?? (messages[at] as object)
}

/** What stands for the older part; `message` where that is the provider's own. */
type Summary = Pick<Compaction, 'by' | 'failure' | 'summary'> & { message?: object }

/** Writes a summary without a model. What was said last is read at once: the host may change its messages while its model works. */
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
  { maxToolResultLength, signal, summarize }: CompactOptions,
): Promise<Summary> {
  if (summarize === undefined) return mechanical()
  const limits = maxToolResultLength === undefined ? {} : { maxToolResultLength }
  try {
    const prompt = compactionPrompt(messages, { format: history.format, ...limits })
    const summary = await orAborted(summarize(prompt, { signal, messages }), signal)
    signal?.throwIfAborted()
    if (typeof summary === 'string' && summary.trim() !== '') return { summary: summary.trim(), by: 'model' }
    if (isProviders(summary, history.format)) return { summary: null, by: 'provider', message: summary }
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

/** Whether it is a message in which the provider stands for what came before. */
function isProviders(summary: unknown, format: Format): summary is object {
  if (typeof summary !== 'object' || summary === null) return false
  return neutralHistory([summary], format)
    .blocks()
    .some(({ isCompaction }) => isCompaction)
}

/** What the assistant said last in some messages, without calls. */
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
  return historyFor(messages, format).usage(messages).total
}

const formatOf = ({ format }: FormatOptions): FormatOptions => (format === undefined ? {} : { format })
