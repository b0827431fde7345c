import type { ReadEvent } from './events.js'
import { follow } from './follow.js'
import { type ReadFileOptions, readFile, readingOptions } from './read-file.js'

/** Reads a file as {@link readFile} does, and yields events while it runs; the last event is `done`. */
export async function* readFileEvents(options: ReadFileOptions): AsyncGenerator<ReadEvent, void> {
  options = readingOptions(options)
  const events: ReadEvent[] = []
  let wake: () => void = () => undefined
  const { controller, release } = follow(options.signal)
  const onEvent = (event: ReadEvent) => {
    options.onEvent?.(event)
    events.push(event)
    wake()
  }
  let failure: { error: unknown } | undefined
  let isOver = false
  readFile({ ...options, onEvent, signal: controller.signal })
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
    release()
    // A consumer that stops early does not wait for the model either.
    if (!isOver) controller.abort()
  }
}
