import type { JsonRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import type { Losses } from './lost.js'
import type { Message, NeutralPiece, Result, Text } from './neutral.js'
import type { TokenRules } from './token-rules.js'

/** What a format must be able to do to be read, counted, and converted from and to. */
export interface Codec<F extends Format = Format> {
  format: F
  /** How people call it: "Anthropic". */
  title: string
  tokens: TokenRules
  /** Whether each result is a message of its own; else all results of an answer are one. */
  resultsApart: boolean
  /** Whether a message of a file can only be of this format, by what it holds. */
  recognises(message: JsonRecord): boolean
  /** Whether a message that no format recognises is of this one. */
  accepts?(message: JsonRecord): boolean
  /** Why a message of a file cannot be of this format, in words. By default any known role will do. */
  misfit?(message: JsonRecord): string | undefined
  read(messages: readonly MessageAt[], losses: Losses): NeutralPiece[]
  /** Ids are the target's own, and results stand with their calls. */
  write(messages: readonly Message[], losses: Losses): Written
  /** Results as messages of their own, as an agent loop adds them behind an answer's calls. */
  results(results: readonly Result[], losses: Losses): JsonRecord[]
  /** How the target wants a call's id; any text where absent. */
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

/** The system prompt for a target that takes it beside the messages (`name` does), and the other messages. */
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

/** A system message as text; what else there is in it is named. */
export function systemText(message: Message, losses: Losses): string {
  for (const block of message.blocks) {
    if (block.kind === 'text') losses.options(message.at, block.options)
    else losses.block(message.at, block)
  }
  return textOf(message)
}

/** All text of a message, its texts one below the other. */
export function textOf({ blocks }: Message): string {
  return joined(blocks.filter((block) => block.kind === 'text'))
}

function joined(texts: readonly Text[]): string {
  return texts.map(({ text }) => text).join('\n\n')
}
