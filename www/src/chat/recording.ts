import type { MessageFacts, Policy, State } from 'trimtab'
import type { Transcript } from 'trimtab/transcripts'
import { blockIndex } from './agent/block-index.js'
import { RecordedHistory } from './agent/history.js'
import type { SentRequest } from './agent/requests.js'
import { blockRows } from './agent/thread.js'
import { nextTask } from './next-task.js'
import type { About, Asked, Told } from './worker/protocol.js'
import { NO_WORKER, startWorker } from './worker/start.js'

/** Receives the requests of a recorded session as they are computed. */
interface OnRequests {
  /** @param state The decisions so far. */
  requests(next: readonly SentRequest[], state: State | undefined): void
  /** Called after the last request. */
  end(): void
  failed(reason: string): void
}

/** A recorded session read by a worker, which also computes its requests. */
export class Recording {
  readonly transcript: Transcript
  readonly history: RecordedHistory
  readonly #worker: Worker
  #run = 0
  #told: OnRequests | null = null

  /** Indices of messages that contain a summary of the messages before them. */
  readonly summaries: readonly number[]

  constructor(
    worker: Worker,
    transcript: Transcript,
    facts: readonly MessageFacts[],
    summaries: readonly number[],
  ) {
    this.#worker = worker
    this.transcript = transcript
    this.summaries = summaries
    this.history = new RecordedHistory(transcript.messages, transcript.format, facts)
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.#take(data)
    worker.onerror = () => this.#take({ kind: 'failed', reason: NO_WORKER })
  }

  /** Computes all requests under a policy. Cancels the computation in progress. */
  account(policy: Policy, told: OnRequests): void {
    this.#run += 1
    this.#told = told
    this.#worker.postMessage({ kind: 'account', run: this.#run, policy } satisfies Asked)
  }

  /** Cancels the computation. */
  rest(): void {
    this.#run += 1
    this.#worker.postMessage({ kind: 'rest' } satisfies Asked)
  }

  /** Ends the worker; the recording cannot be used any more. */
  close(): void {
    this.#told = null
    this.#worker.terminate()
  }

  #take(told: Told): void {
    if (told.kind === 'failed') this.#told?.failed(told.reason)
    if (!('run' in told) || told.run !== this.#run) return
    if (told.kind === 'requests') this.#told?.requests(told.requests, told.state)
    else this.#told?.end()
  }
}

interface Opening {
  readonly signal: AbortSignal
  onProgress(done: number): void
}

/** Reads a session file in a worker. Rejects with the reason as text, or with the signal's reason. */
export async function openRecording(file: File, opening: Opening): Promise<Recording> {
  const recording = await readRecording(file, opening)
  // Each computation over all messages gets its own task: together they would block the page.
  for (const look of [blockRows, blockIndex]) {
    await nextTask()
    look(recording.history)
  }
  await nextTask()
  opening.signal.throwIfAborted()
  return recording
}

function readRecording(file: File, { signal, onProgress }: Opening): Promise<Recording> {
  const worker = startWorker()
  const messages: object[] = []
  const facts: MessageFacts[] = []
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      worker.terminate()
      reject(reason)
    }
    signal.addEventListener('abort', () => end(signal.reason), { once: true })
    worker.onerror = () => end(new Error(NO_WORKER))
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'progress') onProgress(data.done)
      else if (data.kind === 'failed') end(new Error(data.reason))
      else if (data.kind === 'opened')
        resolve(new Recording(worker, wholeOf(data.about, messages), facts, data.summaries))
      else if (data.kind === 'read') {
        messages.push(...data.messages)
        facts.push(...data.facts)
      }
    }
    worker.postMessage({ kind: 'open', file, name: file.name } satisfies Asked)
  })
}

const wholeOf = (about: About, messages: object[]): Transcript => ({ ...about, messages })
