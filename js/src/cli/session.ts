import { type Inspection, inspect, type LiveReport, type Policy, project, TrimtabError } from '../index.js'
import { readTranscript, type Transcript } from '../transcripts/index.js'
import { Failure } from './failure.js'
import { nameOf, readText } from './input.js'
import type { Progress } from './progress.js'

export interface SessionOptions {
  /** Whether to read the whole history, including what the agent compacted. */
  fullHistory: boolean
}

export async function openSession(
  file: string,
  { fullHistory }: SessionOptions,
  progress: Progress,
): Promise<Transcript> {
  return sessionIn(await readText(file, progress), file, { fullHistory }, progress)
}

/** Parses a file's text as a session. */
export function sessionIn(
  text: string,
  file: string,
  { fullHistory }: SessionOptions,
  progress: Progress,
): Transcript {
  return parsing(() =>
    readTranscript(text, {
      name: nameOf(file),
      history: fullHistory ? 'full' : 'live',
      onProgress: (done, total) => progress.update('parsing', done, total),
    }),
  )
}

/** Runs a parser of a file. Its errors name the file already. */
export function parsing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof TrimtabError ? new Failure(error.message) : error
  }
}

export function inspectSession(file: string, transcript: Transcript): Inspection {
  return naming(
    () => file,
    () => inspect(transcript.messages, { format: transcript.format }),
  )
}

export function projectSession(
  file: string,
  transcript: Transcript,
  policy: Policy,
): { messages: object[]; report: LiveReport } {
  return naming(
    () => file,
    () => project(transcript.messages, policy, { format: transcript.format }),
  )
}

/** Runs `work`, and adds the file's name to the engine's errors: the engine knows messages only. */
export function naming<T>(file: () => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TrimtabError) throw new Failure(`${nameOf(file())}: ${error.message}`)
    if (error instanceof RangeError) throw new Failure(`${nameOf(file())}: its JSON is nested too deeply`)
    throw error
  }
}
