import { signal } from '@preact/signals'
import type { Recording } from './recording.js'

/** What is read from a file, while it is. */
export const opening = signal<{ readonly name: string; readonly done: number; cancel(): void } | null>(null)

/** What went wrong outside of a conversation: a file that cannot be read. */
export const notice = signal<string | null>(null)

/** Reads a session's file; `null` where the user did not wait for it. */
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
