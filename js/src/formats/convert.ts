import { checkMessages } from '../base/check.js'
import { TrimtabError, unreadable } from '../base/error.js'
import { checkFormat } from '../base/format.js'
import { isBlank, isRecord, type JsonRecord } from '../base/json.js'
import { grouped } from '../base/lists.js'
import type { Format } from '../generated/types.js'
import { reportApprovals, withDenials } from './approvals.js'
import { arrange } from './arrange.js'
import { assignIds } from './call-ids.js'
import type { Codec, MessageAt, Written } from './codec.js'
import { codecOf } from './codecs.js'
import { Losses, leftOut, nameOf } from './lost.js'
import { type Block, callsIn, type Message, type NeutralPiece, type Result } from './neutral.js'
import { modernised, withParts } from './older-shapes.js'
import type { ConvertedMessages } from './types.js'

/** Converts messages between formats. The input is not changed. */
export function convert(
  messages: readonly object[],
  from: Format,
  to: Format,
  system: string | undefined,
): ConvertedMessages {
  const { source, target, losses, entries } = started(messages, from, to)
  if (from === to) return { ...sameFormat(entries, target, system), lost: losses.items }
  const written = target.write(readFor(target, source, entries, system, losses), losses)
  return { ...written, lost: losses.items }
}

/** What one message of the source became. `at` is its position; -1 for the system prompt beside the messages. */
export interface Part extends Written {
  at: number
}

/**
 * Like {@link convert}, but each message becomes a part of its own, and no two are merged.
 *
 * @param keeps Whether messages that are in the format already stay as they are.
 */
export function convertApart(
  messages: readonly object[],
  from: Format,
  { to, keeps, system }: { to: Format; keeps: boolean; system: string | undefined },
): { parts: Part[]; losses: Losses } {
  const { source, target, losses, entries } = started(messages, from, to)
  const write = (message: Message): Part => ({ at: message.at, ...target.write([message], losses) })
  const parts =
    from === to && keeps
      ? [...systemMessage(system).map(write), ...entries.map(({ at, value }) => ({ at, messages: [value] }))]
      : readFor(target, source, entries, system, losses).map(write)
  return { parts, losses }
}

function started(messages: readonly object[], from: Format, to: Format) {
  const losses = new Losses()
  const codecs = { source: codec(from, 'format'), target: codec(to, 'to') }
  return { ...codecs, losses, entries: entriesOf(messages, from, losses) }
}

/** Reads messages as the target's writer takes them: results with their calls, under the target's ids. */
function readFor(
  target: Codec,
  source: Codec,
  entries: readonly MessageAt[],
  system: string | undefined,
  losses: Losses,
): Message[] {
  const ordered = paired(readWith(source, entries, losses), losses)
  const placed = ordered.map((message) => inItsPlace(message, target, losses))
  const kept = placed.filter((message) => hasContent(message, losses))
  if (target.approvals !== true) for (const message of kept) reportApprovals(message, losses)
  return assignIds([...systemMessage(system), ...kept], target, losses)
}

/**
 * Reads messages to the neutral form, in their order and with their positions. Results are not paired with
 * their calls.
 */
export function readNeutral(messages: readonly object[], format: Format): NeutralPiece[] {
  const losses = new Losses()
  return readWith(codec(format, 'format'), entriesOf(messages, format, losses), losses)
}

/**
 * Reads a conversation to the neutral form, with results paired with their calls. The input is not changed.
 */
export function readConversation(messages: readonly object[], format: Format): Message[] {
  messages = checkMessages(messages)
  const losses = new Losses()
  return paired(readWith(codec(format, 'format'), entriesOf(messages, format, losses), losses), losses)
}

/**
 * Writes neutral messages in a format. A system prompt that the format takes outside the messages is left
 * out.
 */
export function writeConversation(messages: readonly Message[], format: Format): object[] {
  const losses = new Losses()
  const target = codec(format, 'format')
  return target.write(assignIds(messages, target, losses), losses).messages
}

/** A tool's answer to a call. */
export interface Answer {
  /** The call's id; empty if the provider gives none. */
  id: string
  /** The tool's name. */
  name: string
  content: string
  isError: boolean
}

/**
 * Writes the answers to the calls of one model answer as separate messages. `ai-sdk-ui` has no such messages:
 * there the result is a message with the parts of the calls.
 */
export function writeAnswers(answers: readonly Answer[], format: Format): JsonRecord[] {
  const target = codec(format, 'format')
  if (answers.length === 0) return []
  const results = answers.map(({ id, name, content, isError }): Result => {
    return { callId: id, name, parts: [{ kind: 'text', text: content }], isError, at: 0 }
  })
  return target.results(results, new Losses())
}

function codec(format: Format, argument: string): Codec {
  return codecOf(checkFormat(argument, format))
}

/** Messages in the format's current form stay the same objects. */
function sameFormat(entries: readonly MessageAt[], target: Codec, system: string | undefined): Written {
  const before = target.write(systemMessage(system), new Losses())
  return { ...before, messages: [...before.messages, ...entries.map(({ value }) => value)] }
}

function systemMessage(text: string | undefined): Message[] {
  if (text === undefined) return []
  return [{ role: 'system', blocks: [{ kind: 'text', text }], at: -1, results: [] }]
}

/** Converts older forms of the format to the current one. */
function entriesOf(messages: readonly object[], from: Format, losses: Losses): MessageAt[] {
  return messages.flatMap((message: unknown, at) => {
    if (isRecord(message)) {
      return readAt(at, () =>
        modernised(message).map((value) => ({ at, value: from === 'ai-sdk-ui' ? withParts(value) : value })),
      )
    }
    losses.add(at, 'entry that is not a message')
    return []
  })
}

/** Reads a message. What a getter or proxy of the host throws becomes an error that names the message. */
function readAt<T>(at: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof TrimtabError ? cause : unreadable(at, cause)
  }
}

/** Reads messages; an exception of a getter or proxy of the host becomes an error that names the message. */
function readWith(source: Codec, entries: readonly MessageAt[], losses: Losses): NeutralPiece[] {
  try {
    for (const { at, value } of entries) if (value.metadata !== undefined) losses.add(at, 'metadata')
    return source.read(entries, losses)
  } catch (cause) {
    if (cause instanceof TrimtabError) throw cause
    throw unreadable(entries.find((entry) => fails(source, entry))?.at ?? 0, cause)
  }
}

function fails(source: Codec, entry: MessageAt): boolean {
  try {
    source.read([entry], new Losses())
    return false
  } catch {
    return true
  }
}

/** Pairs every result with the call that it answers, in the message of that call. */
function paired(pieces: readonly NeutralPiece[], losses: Losses): Message[] {
  const arranged = arrange(pieces, (at) => losses.add(at, 'second result of the same call'))
  return arranged.map((item) => {
    if (item.kind === 'orphan') return { role: 'tool', blocks: [], at: item.value.at, results: [item.value] }
    if (item.kind === 'other') return item.value
    return withDenials({ ...item.value, results: answers(item.value, item.results) })
  })
}

function answers(message: Message, results: readonly Result[]): Result[] {
  const open = grouped(callsIn(message).reverse(), ({ id }) => id)
  return results.map((result) => {
    // The first unanswered call with its id.
    const call = open.get(result.callId)?.pop()
    return call === undefined ? result : { ...result, call }
  })
}

function hasContent(message: Message, losses: Losses): boolean {
  const { at, blocks, results, role } = message
  const takesText = role === 'system' || role === 'developer'
  if (results.length > 0 || blocks.some(({ kind }) => !takesText || kind === 'text')) return true
  for (const block of blocks) losses.block(at, block)
  losses.empty(message)
  return false
}

/** A message of the user of which the target can express nothing becomes a text that names what it was. */
function inItsPlace(message: Message, target: Codec, losses: Losses): Message {
  const { at, blocks, role } = message
  const files = blocks.filter((block) => block.kind === 'file')
  const names = [...losses.unreadIn(message), ...files.map(nameOf)]
  if (role !== 'user' || names.length === 0 || blocks.some(saysSomething)) return message
  if (target.write([message], new Losses()).messages.length > 0) return message
  for (const file of files) losses.file(at, file)
  return { ...message, blocks: [{ kind: 'text', text: leftOut(names) }] }
}

function saysSomething(block: Block): boolean {
  return block.kind !== 'file' && !(block.kind === 'text' && isBlank(block.text))
}
