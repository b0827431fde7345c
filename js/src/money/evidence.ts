import { firstText, NEW_TEXT, OLD_TEXT } from '../base/edit-arguments.js'
import { asRecord, asString, recordsOf } from '../base/json.js'
import { pushTo } from '../base/lists.js'
import type { BlockFacts } from '../generated/types.js'
import type { NeutralHistory } from '../history/read-messages.js'
import { holdersOf } from './text-search.js'
import type { EvidenceKept } from './types.js'

type EvidenceKind = keyof EvidenceKept

/** A text that a step relied on. */
export interface Evidence {
  kind: EvidenceKind
  /** The step's message, whose request must have shown the text. */
  message: number
  text: string
  /** The messages that contain the text, in their order; those from index `count` on came later. */
  holders: readonly number[]
  count: number
}

interface ToolUse {
  facts: BlockFacts
  /** The input of a call. */
  input?: unknown
  /** The text of a result. */
  text?: string
}

/**
 * Finds what the steps of a session relied on. It depends only on the transcript, so it is the same for every
 * policy.
 *
 * @param texts The text of each message.
 */
export function findEvidence(history: NeutralHistory, texts: readonly string[]): Evidence[] {
  const uses = history.blocks().flatMap((facts): ToolUse[] => {
    if (facts.kind === 'tool-call') return [{ facts, input: history.argumentsOf(facts) }]
    return facts.kind === 'tool-result' ? [{ facts, text: history.textOf(facts) }] : []
  })
  const replaced = uses.flatMap(({ input }) => oldTexts(input))
  const holders = holdersOf(texts, replaced)
  const found: Evidence[] = []
  const seen = new Seen()
  for (const use of uses) {
    const { facts } = use
    if (facts.kind === 'tool-result') seen.addResult(use)
    else found.push(...editEvidence(use, holders), ...seen.call(use))
  }
  return found
}

/**
 * State of the session so far: the newest read of each file, the commands whose last run failed, and the
 * messages of each text.
 */
class Seen {
  readonly #reads = new Map<string, string>()
  readonly #failures = new Map<string, string>()
  /** The command of each call, by its id. */
  readonly #commands = new Map<string, string>()
  readonly #holders = new Map<string, number[]>()

  /** Returns what a call relied on. */
  call({ facts, input }: ToolUse): Evidence[] {
    const { callId, message, origin, path } = facts
    const read = path === null ? undefined : this.#reads.get(path)
    const found = read === undefined ? [] : [this.#evidence('files', message, read)]
    const command = origin === 'shell' ? (commandOf(input) ?? facts.command) : null
    if (command === null) return found
    if (callId !== null) this.#commands.set(callId, command)
    const failure = this.#failures.get(command)
    return failure === undefined ? found : [...found, this.#evidence('failures', message, failure)]
  }

  addResult({ facts, text = '' }: ToolUse): void {
    const { callId, isError, message, origin, path } = facts
    if (text === '') return
    pushTo(this.#holders, text, message)
    if (origin === 'read' && path !== null && !isError) this.#reads.set(path, text)
    const command = origin === 'shell' ? (this.#commands.get(callId ?? '') ?? facts.command) : null
    if (command === null) return
    if (isError) this.#failures.set(command, text)
    else this.#failures.delete(command)
  }

  #evidence(kind: EvidenceKind, message: number, text: string): Evidence {
    const holders = this.#holders.get(text) ?? []
    return { kind, message, text, holders, count: holders.length }
  }
}

/**
 * The command that a call runs: the whole command (the engine keeps only its start), without a preceding
 * change of folder and without redirection of its output. `cd app && npm test 2>&1 | tail` runs `npm test`
 * again.
 */
function commandOf(input: unknown): string | null {
  const record = asRecord(input)
  const given = record?.command ?? record?.cmd
  const command = Array.isArray(given) ? given.join(' ') : asString(given)
  const inPlace = command?.replace(/^(?:\s*cd\s[^;&|]*(?:&&|;))+/, '')
  const run = inPlace?.replace(/\d?>.*$|\|.*$/s, '').trim()
  return run === undefined || run === '' ? null : run
}

function editEvidence({ facts, input }: ToolUse, found: ReadonlyMap<string, number[]>): Evidence[] {
  const { message } = facts
  return oldTexts(input).flatMap((text) => {
    const holders = found.get(text) ?? []
    const count = countBelow(holders, message)
    return count === 0 ? [] : [{ kind: 'edits' as const, message, text, holders, count }]
  })
}

/** Returns how many numbers of an ascending list are below a limit. */
export function countBelow(list: readonly number[], limit: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The texts that a call replaces, from its arguments or its list of edits. */
function oldTexts(input: unknown): string[] {
  const record = asRecord(input)
  if (record === undefined) return []
  return [record, ...recordsOf(record.edits)].flatMap((edit) => {
    const named = firstText(edit, OLD_TEXT)
    // Without a new text, `search` is a search term, not a text to replace.
    const isSearch = named === edit.search && firstText(edit, NEW_TEXT) === undefined
    return named === undefined || named === '' || isSearch ? [] : [named]
  })
}
