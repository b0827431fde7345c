import { createParser } from 'eventsource-parser'
import { type Model, ModelError, type ModelEvent } from '../agent/model.js'
import { anthropic } from './anthropic.js'
import { type Connection, hostOf, type ProviderId } from './connection.js'
import { gemini } from './gemini.js'
import { openai } from './openai.js'
import { notAStream, problemOf, refusalOf, typeOf } from './problems.js'
import { type Fields, isFields, type Wire } from './wire.js'

const WIRES: Readonly<Record<ProviderId, Wire>> = { openai, anthropic, gemini }

/** `fetch`, as far as a model needs it. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** One event longer than this is no answer, in characters. */
const LARGEST_EVENT = 16_000_000

/** A model behind a network. It asks once for each answer, and says in words why there is none. */
export function networkModel(connection: Connection, fetch: Fetch): Model {
  const wire = WIRES[connection.provider]
  return {
    format: wire.format,
    async *answer({ signal, ...request }): AsyncGenerator<ModelEvent> {
      const { path, headers, body } = wire.request(connection, request)
      const response = await asked(connection, signal, () =>
        fetch(connection.address + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
          signal,
          // The key goes to this address alone, and nothing else of the page goes with it.
          redirect: 'error',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          cache: 'no-store',
        }),
      )
      if (!response.ok) throw await refusalOf(response, connection)
      const reader = wire.reader(request)
      for await (const event of eventsOf(response, connection, signal, () => reader.isOver)) {
        const error = problemOf(event, connection)
        if (error !== null) throw error
        yield* reader.read(event)
      }
      yield { type: 'answer', messages: reader.messages(), isCut: reader.isCut }
    },
  }
}

/** Does what may fail for the network's sake; a stop by the user stays one. */
async function asked<T>(connection: Connection, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch {
    signal.throwIfAborted()
    throw new ModelError(
      `No answer from ${hostOf(connection)}: it cannot be reached, sends the request elsewhere, or does not let web pages ask it (CORS).`,
    )
  }
}

const brokenOff = (connection: Connection) =>
  new ModelError(`The answer broke off: ${hostOf(connection)} closed the connection before its end.`)

/**
 * The events of a stream, as JSON, up to its end. What is no JSON is passed over. Throws where the stream ends before the answer.
 *
 * @param isOver Whether the events so far were a whole answer. Then the connection need not be closed, nor end well.
 */
async function* eventsOf(
  response: Response,
  connection: Connection,
  signal: AbortSignal,
  isOver: () => boolean,
): AsyncGenerator<Fields> {
  if (response.body === null || !typeOf(response).includes('text/event-stream'))
    throw await notAStream(response, connection)
  const arrived: Fields[] = []
  let isDone = false
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ data }) => {
      isDone ||= data.trim() === '[DONE]'
      const event = parsed(data)
      if (isFields(event)) arrived.push(event)
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded')
        throw new ModelError(`${hostOf(connection)} sent an event too large to be an answer.`)
    },
  })
  const decoder = new TextDecoder()
  const stream = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await (isOver() ? readRest(stream) : read(stream, connection, signal))
      parser.feed(decoder.decode(value, { stream: !done }))
      yield* arrived.splice(0)
      if (isDone || (done && isOver())) return
      if (done) throw brokenOff(connection)
    }
  } finally {
    // Whoever stops listening ends the answer: the provider need not go on.
    await stream.cancel().catch(() => {})
  }
}

async function read(
  stream: ReadableStreamDefaultReader<Uint8Array>,
  connection: Connection,
  signal: AbortSignal,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await stream.read()
  } catch {
    signal.throwIfAborted()
    throw brokenOff(connection)
  }
}

/** How long an answer that is over waits for what may come behind it, such as its usage, in milliseconds. */
const PATIENCE = 1000

/** What comes behind a whole answer; a connection that is not closed, or fails, has ended. */
async function readRest(
  stream: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const end = { done: true, value: undefined } as const
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<typeof end>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, end)
  })
  try {
    return await Promise.race([stream.read(), late])
  } catch {
    return end
  } finally {
    clearTimeout(timer)
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
