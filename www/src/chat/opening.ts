import { signal } from '@preact/signals'
import type { Recording } from './recording.js'

/** Progress of what is being opened: a session file, or a stored chat. */
interface Opening {
  readonly name: string
  /** From 0 to 1; `null` if unknown. */
  readonly done: number | null
  cancel(): void
}

export const opening = signal<Opening | null>(null)

/** Error outside of a conversation, such as a file that cannot be read. */
export const notice = signal<string | null>(null)

/** Reads a session file; `null` if the user cancels. */
export async function readSession(file: File): Promise<Recording | null> {
  opening.peek()?.cancel()
  notice.value = null
  const cancelled = new AbortController()
  const { name } = file
  const cancel = () => cancelled.abort()
  const tell = (done: number) => (opening.value = { name, done, cancel })
  tell(0)
  try {
    const { openRecording } = await import('./recording.js')
    return await openRecording(file, { signal: cancelled.signal, onProgress: tell })
  } catch (error) {
    if (cancelled.signal.aborted) return null
    throw error
  } finally {
    if (opening.peek()?.cancel === cancel) opening.value = null
  }
}
