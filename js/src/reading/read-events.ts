import type { ReadEvent } from './events.js'
import { type ReadFileOptions, readFile, readingOptions } from './read-file.js'

/** Reads a file as {@link readFile} does, and yields events while it runs; the last event is `done`. */
export async function* readFileEvents(options: ReadFileOptions): AsyncGenerator<ReadEvent, void> {
  options = readingOptions(options)
  const events: ReadEvent[] = []
  let wake: () => void = () => undefined
  const stop = new AbortController()
  const forward = () => stop.abort(options.signal?.reason)
  if (options.signal?.aborted === true) forward()
  options.signal?.addEventListener('abort', forward, { once: true })
  const onEvent = (event: ReadEvent) => {
    options.onEvent?.(event)
    events.push(event)
    wake()
  }
  let failure: { error: unknown } | undefined
  let isOver = false
  readFile({ ...options, onEvent, signal: stop.signal })
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      isOver = true
      wake()
    })
  try {
    for (;;) {
      while (events.length > 0) yield events.shift() as ReadEvent
      if (isOver) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (failure !== undefined) throw failure.error
  } finally {
    options.signal?.removeEventListener('abort', forward)
    // A consumer that stops early does not wait for the model either.
    if (!isOver) stop.abort()
  }
}
