import { signal } from '@preact/signals'
import { saveNow } from '../keeping.js'
import { sessions } from '../session-index.js'
import type { Told } from '../worker/protocol.js'
import { NO_WORKER, startWorker } from '../worker/start.js'
import type { Hit } from './chats.js'

/** Result of a search, so far. */
interface Found {
  readonly text: string
  /** In the order of the chats. */
  readonly hits: readonly Hit[]
  /** Whether all chats were searched. */
  readonly isDone: boolean
  /** Why messages could not be searched. */
  readonly failure: string | null
}

const NOTHING: Found = { text: '', hits: [], isDone: true, failure: null }
export const found = signal<Found>(NOTHING)

/** Shortest text that is searched for, in characters. */
const SHORTEST = 2
/** Delay after the last change of the text, in milliseconds. */
const REST = 180

let worker: Worker | null = null
let run = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Searches all stored chats for a text, in a worker. Cancels the search before. */
export function searchChats(text: string): void {
  clearTimeout(timer)
  run += 1
  if (text.length < SHORTEST) {
    found.value = NOTHING
    if (text === '') endSearch()
    return
  }
  found.value = { text, hits: [], isDone: false, failure: null }
  timer = setTimeout(() => {
    // A pending save would not be found.
    saveNow()
    const chats = sessions
      .peek()
      .map(({ id, saves: version = 0, earlier = [] }) => ({ id, version, earlier }))
    worker ??= started()
    worker.postMessage({ kind: 'search', run, text, chats })
  }, REST)
}

function started(): Worker {
  const made = startWorker()
  made.onmessage = ({ data }: MessageEvent<Told>) => {
    const now = found.peek()
    if (data.kind === 'failed') found.value = { ...now, isDone: true, failure: data.reason }
    if (!('run' in data) || data.run !== run) return
    if (data.kind === 'found') found.value = { ...now, hits: [...now.hits, ...data.hits] }
    if (data.kind === 'searched') found.value = { ...now, isDone: true }
  }
  made.onerror = () => {
    // The next search starts another one.
    endSearch()
    found.value = { ...found.peek(), isDone: true, failure: NO_WORKER }
  }
  return made
}

/** Ends the worker. */
function endSearch(): void {
  worker?.terminate()
  worker = null
}
