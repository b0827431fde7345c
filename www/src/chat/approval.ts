import { computed, signal } from '@preact/signals'
import type { ToolCall } from 'trimtab/tools'
import { readStored, writeStored } from '../storage.js'
import type { Answer } from './agent/approval.js'
import { folder } from './files.js'
import { connection } from './models/current.js'

/** A call that waits for the user's word. */
export interface Asked {
  readonly call: ToolCall
  answer(word: Answer): void
}

const KEPT = 'trimtab.asks'

export const asked = signal<Asked | null>(null)
const chosen = signal<boolean | null>(readChosen())
/** Whether the user has to be asked: the files are their own. */
export const mustAsk = computed(() => folder.value !== null)
/** Whether the user is asked before files are changed: unless they said so themselves, where a model of the network asks for it. */
export const asks = computed(() => mustAsk.value || (chosen.value ?? connection.value !== null))

export function setAsks(next: boolean): void {
  chosen.value = next
  // Whoever takes the question back has answered it.
  if (!next) asked.peek()?.answer({ kind: 'once' })
  writeStored(KEPT, String(next))
}

function readChosen(): boolean | null {
  const kept = readStored(KEPT)
  return kept === null ? null : kept === 'true'
}

/** Asks the user; whoever stops the work refuses. */
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
