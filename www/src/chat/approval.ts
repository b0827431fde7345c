import { computed, signal } from '@preact/signals'
import type { ToolCall } from 'trimtab/tools'
import { readStored, writeStored } from '../storage.js'
import type { Answer } from './agent/approval.js'
import { folder } from './files.js'
import { connection } from './models/current.js'

/** A tool call that waits for the user's approval. */
export interface Asked {
  readonly call: ToolCall
  answer(word: Answer): void
}

const KEPT = 'trimtab.asks'

export const asked = signal<Asked | null>(null)
const chosen = signal<boolean | null>(readChosen())
/** Whether approval is mandatory: the agent works in a folder of the user. */
export const mustAsk = computed(() => folder.value !== null)
/** Whether tool calls that change files need approval. If the user chose nothing: only with a model of the network. */
export const asks = computed(() => mustAsk.value || (chosen.value ?? connection.value !== null))

export function setAsks(next: boolean): void {
  chosen.value = next
  // Turning approval off also approves the pending call.
  if (!next) asked.peek()?.answer({ kind: 'once' })
  writeStored(KEPT, String(next))
}

function readChosen(): boolean | null {
  const kept = readStored(KEPT)
  return kept === null ? null : kept === 'true'
}

/** Asks the user to approve a call. Stopping the work refuses it. */
export function askUser(call: ToolCall, stopped: AbortSignal): Promise<Answer> {
  if (!asks.peek()) return Promise.resolve({ kind: 'once' })
  return new Promise((resolve) => {
    const answer = (word: Answer) => {
      asked.value = null
      stopped.removeEventListener('abort', refuse)
      resolve(word)
    }
    const refuse = () => answer({ kind: 'refused', word: '' })
    stopped.addEventListener('abort', refuse)
    asked.value = { call, answer }
  })
}
