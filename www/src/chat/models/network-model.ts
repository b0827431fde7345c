import { createParser } from 'eventsource-parser'
import { type Model, ModelError, type ModelEvent } from '../agent/model.js'
import { tokensOf } from '../agent/tokens-of.js'
import { anthropic } from './anthropic.js'
import { type Connection, hostOf, PROVIDERS, type ProviderId } from './connection.js'
import { gemini } from './gemini.js'
import { openai } from './openai.js'
import { notAStream, problemOf, refusalOf, typeOf } from './problems.js'
import { type Fields, isFields, type Wire, wellFormed, wellFormedJson } from './wire.js'

const WIRES: Readonly<Record<ProviderId, Wire>> = { openai, anthropic, gemini }

/** The part of `fetch` that a model needs. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** Maximum length of one event in characters; a longer one is an error. */
const LARGEST_EVENT = 16_000_000

/**
 * Creates a model that is reached over the network. Each answer is one request without retries; errors are text for the
 * user.
 */
export function networkModel(connection: Connection, fetch: Fetch): Model {
  const wire = WIRES[connection.provider]
  return {
    format: PROVIDERS[connection.provider].format,
    overhead({ system, tools }) {
      const defined = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
      return tokensOf(system) + (tools.length === 0 ? 0 : tokensOf(JSON.stringify(defined)))
    },
    async *answer({ signal, ...request }): AsyncGenerator<ModelEvent> {
      const { path, headers, body } = wire.request(connection, request)
      const response = await asked(connection, signal, () =>
        fetch(connection.address + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: wellFormedJson(body),
          signal,
          // The key is sent only to this address, and no other data of the page is.
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
      const messages = reader.messages().map((message) => wellFormed(message) as object)
      yield { type: 'answer', messages, isCut: reader.isCut }
    },
  }
}

/** Runs `act` and converts network errors to a {@link ModelError}; an abort by the user is rethrown. */
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
 * Yields the events of a stream as JSON up to its end. Events that are not JSON are skipped. Throws if the stream ends
 * before the answer.
 *
 * @param isOver Returns whether the events so far are a whole answer. The connection then need not be closed, or can
 * fail.
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
    // If the consumer stops early, cancel the request: the provider need not continue.
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

/** Time to wait for data after a complete answer, such as its usage, in milliseconds. */
const PATIENCE = 1000

/** Reads data after a complete answer. A connection that fails or stays open counts as ended. */
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
