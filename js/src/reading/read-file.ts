import { callback } from '../base/at-once.js'
import {
  checkOptions,
  checkText,
  countFrom,
  DATA,
  dataKind,
  FUNCTION,
  oneOf,
  SIGNAL,
  SWITCH,
  TEXT,
  withMethods,
} from '../base/check.js'
import { ENCODING } from '../base/content.js'
import { digestOf } from '../base/digest.js'
import { given, isRecord } from '../base/json.js'
import type { TextCounter } from '../base/text-counter.js'
import { countedBy } from '../files/content-source.js'
import { MAX_TOKENS } from '../generated/protocol.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineLanguage } from '../outline/language.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { CONVERSATION, type ConversationMessage, lastQuestion, recentMessages } from './conversation.js'
import { type Curated, curate } from './curate.js'
import { CURATOR_DEFAULTS, type Curator, type CuratorSettings, checkedSettings } from './curator.js'
import { estimateLines } from './estimate.js'
import type { ReadEvent } from './events.js'
import { TOKENS } from './limits.js'
import { type FileOfLines, fileOfLines } from './lines.js'
import { madeOnce } from './made-once.js'
import { INDEX, indexRead, type NotIndexed, type ReadIndex } from './read-index.js'
import { sectionsOf } from './sections.js'
import { structureOf } from './structure.js'
import {
  checkThresholds,
  modeFor,
  READ_MODES,
  type ReadMode,
  type ThresholdOptions,
  thresholdOf,
} from './thresholds.js'
import { type TimeLimit, timeLimitOf } from './time-limit.js'
import { type FileView, fullView, viewOf } from './view.js'

/** A cache of views: a `Map`, or an object with the same methods. Views are plain JSON. */
export interface ViewCache {
  get(key: string): FileView | undefined
  set(key: string, view: FileView): unknown
}

/** Settings for showing files. */
export interface ReadFileSettings extends ThresholdOptions {
  /** The host's model, which chooses lines. If absent, the outline chooses them. */
  curator?: Curator | undefined
  curatorSettings?: CuratorSettings | undefined
  /** Number of newest messages that describe the conversation's topic. Default 6. */
  recentMessages?: number | undefined
  /**
   * Maximum size of a shortened view in tokens (estimates). A larger file is also not shown in full if its curation
   * failed. Default 3000, the limit of one read.
   */
  maxTokens?: number | undefined
  /** Counts the tokens of a view. Default: the estimate, UTF-8 bytes / 3.5. */
  counter?: TextCounter | undefined
  /** Cache of views, reused while the file and the user's last question are the same. Default: none. */
  cache?: ViewCache | undefined
  /**
   * Index that every read file is added to, whole, with its sections if known: `createIndex()` of `trimtab/index`. An
   * index error never fails a read; it is reported in the view (`notIndexed`).
   */
  index?: ReadIndex | undefined
  /** Called for each event while a file is read. */
  onEvent?: ((event: ReadEvent) => void) | undefined
}

/** A file, and options for showing it. */
export interface ReadFileOptions extends ReadFileSettings {
  /** Path for the header. Nothing is opened. */
  path: string
  /** Text, or bytes in UTF-8 (or UTF-16 with a byte order mark). */
  content: string | Uint8Array
  /** Encoding of bytes without a byte order mark. Default UTF-8. */
  encoding?: TextEncoding | undefined
  /**
   * Default `auto`: a small file in full; else curated if there is a curator or a conversation, or its structure. Without
   * a curator, a file that the conversation does not match is shown by structure in any case (`fallback`).
   */
  mode?: ReadMode | undefined
  /** The conversation, oldest message first. */
  conversation?: readonly ConversationMessage[] | undefined
  /** Default: detected from the path, or the first line. */
  language?: OutlineLanguage | undefined
  /** Whether the content leaves the conversation after its turn. It is then not indexed. */
  ephemeral?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Checks for settings; the other options of a read differ per file, so {@link createFileReader} does not accept them.
 */
export const SETTINGS = {
  threshold: DATA,
  thresholds: dataKind('an object of {small, large} by glob', isRecord),
  curator: FUNCTION,
  curatorSettings: null,
  recentMessages: countFrom(1),
  maxTokens: TOKENS,
  counter: FUNCTION,
  cache: withMethods<ViewCache>('a Map, or something with get and set', 'get', 'set'),
  index: INDEX,
  onEvent: callback('onEvent'),
}
const OPTIONS = {
  ...SETTINGS,
  path: TEXT,
  content: null,
  encoding: ENCODING,
  mode: oneOf(READ_MODES),
  conversation: CONVERSATION,
  language: null,
  ephemeral: SWITCH,
  signal: SIGNAL,
}

/**
 * Shows a file as document "Unified read_file" specifies: small files in full, larger files by the topic of the
 * conversation, or by structure. A failure of the model never makes the read fail.
 *
 * @throws {TrimtabError} `invalid_option`, `unknown_language`, `initialisation_failed`; the abort reason of `signal`.
 */
export async function readFile(options: ReadFileOptions): Promise<FileView> {
  options = readingOptions(options)
  const { onEvent = () => undefined, signal } = options
  const started = performance.now()
  signal?.throwIfAborted()
  const file = await fileOf(options)
  const mode = await chosenMode(file, options)
  onEvent({ kind: 'start', path: file.path, totalLines: file.lines.length, mode })
  const key = options.cache === undefined || mode === 'full' ? undefined : await keyOf(file, mode, options)
  const known = key === undefined ? undefined : options.cache?.get(key)
  const { view: made, isOwn } =
    known === undefined ? await madeInTime(mode, file, key, options) : { view: known, isOwn: false }
  const timed = { ...made, cached: !isOwn, milliseconds: performance.now() - started }
  // A view with a fallback is not cached: the model may succeed next time, or the conversation match.
  if (key !== undefined && isOwn && made.fallback === undefined) options.cache?.set(key, timed)
  const notIndexed = await indexed(file, made, options)
  const view = { ...timed, ...(notIndexed && { notIndexed }) }
  onEvent({ kind: 'done', view })
  return view
}

/** Makes a view, or waits for an equal one, for as long as its curator may take. */
async function madeInTime(mode: ReadMode, file: File, key: string | undefined, options: ReadFileOptions) {
  const { cache, curator, curatorSettings, signal } = options
  const { timeLimit = CURATOR_DEFAULTS.timeLimit } = curatorSettings ?? {}
  const limit = curator === undefined || mode !== 'curated' ? undefined : timeLimitOf(timeLimit, signal)
  try {
    return await madeOnce(cache, key, { limit, signal }, () => shownAs(mode, file, options, limit))
  } finally {
    limit?.clear()
  }
}

async function indexed(
  { path, text }: File,
  { sections }: FileView,
  { index, ephemeral, onEvent }: ReadFileOptions,
): Promise<NotIndexed | undefined> {
  if (index === undefined) return undefined
  if (!ephemeral) onEvent?.({ kind: 'debug', text: `Queued full file ${path} for indexing` })
  const notIndexed = await indexRead(index, { path, content: text, sections, ephemeral })
  if (notIndexed !== undefined) onEvent?.({ kind: 'debug', text: `Not indexed: ${notIndexed.message}` })
  return notIndexed
}

interface File extends FileOfLines {
  conversation: ConversationMessage[]
  language: OutlineLanguage | undefined
}

async function fileOf(options: ReadFileOptions): Promise<File> {
  const { conversation, recentMessages: count, language } = options
  return {
    ...(await fileOfLines(options)),
    conversation: recentMessages(conversation, count),
    language,
  }
}

async function chosenMode(file: File, options: ReadFileOptions): Promise<ReadMode> {
  const { mode: asked = 'auto', onEvent } = options
  if (asked !== 'auto') return asked
  const threshold = await thresholdOf(file.path, options)
  const large = threshold.large === undefined ? '' : `, large=${threshold.large}`
  const text = `File has ${file.lines.length} lines. Thresholds: small=${threshold.small}${large}`
  onEvent?.({ kind: 'debug', text })
  const canCurate = options.curator !== undefined || file.conversation.length > 0
  const mode = modeFor(file.lines.length, threshold, canCurate)
  const { maxTokens = MAX_TOKENS, counter = estimateByBytes } = options
  // A few lines may be very long.
  const fits = mode !== 'full' || counter(fullView(file).text) <= maxTokens
  return fits ? mode : modeFor(Number.POSITIVE_INFINITY, { small: threshold.small }, canCurate)
}

async function shownAs(
  mode: ReadMode,
  file: File,
  options: ReadFileOptions,
  limit: TimeLimit | undefined,
): Promise<FileView> {
  if (mode === 'full') return fullView(file)
  if (mode === 'structure') return outlined({ ...file, conversation: [] }, options)
  return limit === undefined ? byConversation(file, options) : byModel(file, options, limit)
}

/** Shows what is related to the conversation, or the structure with the reason. */
async function byConversation(file: File, options: ReadFileOptions): Promise<FileView> {
  const view = await outlined(file, options)
  if (view.mode === 'curated') return view
  const isSilent = file.conversation.length === 0
  const message = isSilent
    ? 'there is no conversation'
    : 'nothing in the file seems related to the conversation'
  return { ...view, fallback: { reason: 'no_match', message } }
}

/** In tokens: the structure of a larger file takes at most half of it. About 4,000 bytes. */
const SMALL_FILE = 1170

/** Shows the structure, with the sections unfolded that are related to the conversation. */
async function outlined(file: File, options: ReadFileOptions): Promise<FileView> {
  const { maxTokens = MAX_TOKENS } = options
  let view = await outlinedWithin(maxTokens, file, options)
  const all = estimateByBytes(file.text)
  if (view.mode !== 'structure' || all <= SMALL_FILE) return view
  const half = Math.floor((all - 1) / 2)
  let size = estimateByBytes(view.text)
  // The header and the notices of folds are not counted before they are written.
  for (let limit = half; size > half && limit > 0; limit = Math.floor((limit * half) / size) - 1) {
    const fewer = await outlinedWithin(limit, file, options)
    // The start of one long line may take more than half, and an empty view would be useless.
    if (fewer.preservedLines === 0) return view
    view = fewer
    size = estimateByBytes(view.text)
  }
  return view
}

/** Shows the lines of an outline that take at most `limit` tokens. */
async function outlinedWithin(
  limit: number,
  file: File,
  { maxTokens = MAX_TOKENS, counter }: ReadFileOptions,
) {
  const { isRelated, ...chosen } = await structureOf({ ...file, maxTokens: limit })
  const mode = isRelated ? 'curated' : 'structure'
  return viewOf(file, {
    ...chosen,
    mode,
    curatedBy: 'outline',
    isByConversation: isRelated,
    maxTokens,
    counter,
  })
}

async function byModel(file: File, options: ReadFileOptions, limit: TimeLimit): Promise<FileView> {
  const { curator, curatorSettings: settings = {}, signal, counter, maxTokens = MAX_TOKENS } = options
  const { onEvent = () => undefined } = options
  onEvent({ kind: 'debug', text: 'Invoking file_curator agent (curated mode)...' })
  const onChunk = (kind: 'thinking' | 'content', text: string) => onEvent({ kind, text })
  const asked = await curate({ ...file, curator: curator as Curator, settings, signal, limit, onChunk })
  const curated = withinLimit(asked, file, maxTokens)
  const { curation, fallback } = curated
  if (curation === undefined) {
    onEvent({ kind: 'debug', text: `Curation failed (${fallback?.reason}): ${fallback?.message}` })
    return { ...(await withoutModel(file, options)), ...saidBy(curated) }
  }
  onEvent({ kind: 'debug', text: 'Curation parsed successfully, formatting output...' })
  const isByConversation = file.conversation.length > 0
  const sections = await sectionsOf(file)
  const chosen = { ranges: curation.ranges, sections, isByConversation, maxTokens, counter }
  return { ...viewOf(file, { ...chosen, mode: 'curated', curatedBy: 'model' }), ...saidBy(curated) }
}

/** Rejects a choice of lines that exceeds the view's token limit. */
function withinLimit(curated: Curated, { lines }: File, maxTokens: number): Curated {
  const chosen = curated.curation?.ranges.flatMap(({ start, end }) => lines.slice(start - 1, end)) ?? []
  const tokens = estimateLines(chosen)
  if (tokens <= maxTokens) return curated
  const { curation: _, ...rest } = curated
  const message = `the chosen lines take about ${tokens} tokens, more than ${maxTokens}`
  return { ...rest, fallback: { reason: 'too_large', message } }
}

/** View for a failed model: the whole file if it fits the token limit of one read, else the outline's choice. */
async function withoutModel(file: File, options: ReadFileOptions): Promise<FileView> {
  const { maxTokens = MAX_TOKENS, counter = estimateByBytes } = options
  const whole = fullView(file)
  return counter(whole.text) <= maxTokens ? whole : outlined(file, options)
}

function saidBy({ curation, fallback, thinking }: Curated): Partial<FileView> {
  return {
    ...(curation !== undefined && curation.summary !== '' && { summary: curation.summary }),
    ...(thinking !== '' && { thinking }),
    ...(fallback !== undefined && { fallback }),
  }
}

/** Cache key of a view. The conversation grows with each call, so only the user's last question is part of the key. */
async function keyOf(file: File, mode: ReadMode, options: ReadFileOptions): Promise<string> {
  const who = options.curator === undefined ? 'outline' : 'model'
  const question = mode === 'structure' ? '' : lastQuestion(options.conversation)
  const { maxTokens = MAX_TOKENS } = options
  const counted = options.counter === undefined ? [] : ['counted']
  const parts = [file.path, file.language ?? '', mode, who, maxTokens, question, file.text, ...counted]
  return digestOf(new TextEncoder().encode(JSON.stringify(parts)))
}

/**
 * Checks the settings that are objects themselves.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function checkSettings(options: ReadFileSettings): Pick<ReadFileSettings, 'curatorSettings'> {
  checkThresholds(options)
  return { curatorSettings: checkedSettings(options.curatorSettings ?? {}) }
}

/** @throws {TrimtabError} `invalid_option`. */
export function readingOptions(asked: ReadFileOptions): ReadFileOptions {
  const options = checkOptions(asked, OPTIONS, 'readFile')
  checkText('path', options.path)
  const counter = options.counter && countedBy(options.counter)
  return { ...options, ...checkSettings(options), ...given({ counter }) }
}
