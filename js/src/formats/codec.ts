import type { JsonRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import type { Losses } from './lost.js'
import type { Message, NeutralPiece, Result, Text } from './neutral.js'
import type { TokenRules } from './token-rules.js'

/** Implements a format: how its messages are recognised, counted, read and written. */
export interface Codec<F extends Format = Format> {
  format: F
  /** The display name, such as "Anthropic". */
  title: string
  tokens: TokenRules
  /** Whether each result is a separate message; otherwise one message has all results of an answer. */
  resultsApart: boolean
  /** Whether its calls can have an approval, and results can say that the call was denied. Default: no. */
  approvals?: true
  /** Whether a message of a file can only be in this format, judged by its content. */
  recognises(message: JsonRecord): boolean
  /** Whether this format applies to a message that no format recognises. */
  accepts?(message: JsonRecord): boolean
  /** Why a message of a file cannot be in this format, as text. Default: an unknown role. */
  misfit?(message: JsonRecord): string | undefined
  read(messages: readonly MessageAt[], losses: Losses): NeutralPiece[]
  /** Writes messages. Their ids are already those of the target, and their results are with their calls. */
  write(messages: readonly Message[], losses: Losses): Written
  /** Writes results as separate messages, as an agent loop adds them after an answer's calls. */
  results(results: readonly Result[], losses: Losses): JsonRecord[]
  /** Converts a call's id to one that the target accepts. Default: unchanged. */
  cleanId?(id: string): string
}

/** One message of the source, with its position. */
export interface MessageAt {
  at: number
  value: JsonRecord
}

export interface Written {
  messages: object[]
  system?: string
}

/**
 * Separates the system prompt for a target (`name`) that takes it outside the messages. Returns it with the
 * other messages.
 */
export function takeSystem(
  messages: readonly Message[],
  losses: Losses,
  name: string,
): { system: string | undefined; others: Message[] } {
  const systems: string[] = []
  const others = messages.filter((message) => {
    if (message.role !== 'system' && message.role !== 'developer') return true
    losses.speaker(message)
    systems.push(systemText(message, losses))
    if (message.at >= 0) losses.add(message.at, `system message (${name} takes it beside the messages)`)
    return false
  })
  return { system: systems.length === 0 ? undefined : systems.join('\n\n'), others }
}

/** The text of a system message; other content is recorded as lost. */
export function systemText(message: Message, losses: Losses): string {
  for (const block of message.blocks) {
    if (block.kind === 'text') losses.options(message.at, block.options)
    else losses.block(message.at, block)
  }
  return textOf(message)
}

/** The text blocks of a message, joined by blank lines. */
export function textOf({ blocks }: Message): string {
  return joined(blocks.filter((block) => block.kind === 'text'))
}

function joined(texts: readonly Text[]): string {
  return texts.map(({ text }) => text).join('\n\n')
}
