import { createParser } from 'eventsource-parser'
import { type Model, ModelError, type ModelEvent } from '../agent/model.js'
import { anthropic } from './anthropic.js'
import { type Connection, hostOf, type ProviderId } from './connection.js'
import { gemini } from './gemini.js'
import { openai } from './openai.js'
import { problemOf, refusalOf } from './problems.js'
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
      for await (const event of eventsOf(response, connection, signal)) {
        const error = problemOf(event, connection)
        if (error !== null) throw error
        yield* reader.read(event)
      }
      if (!reader.isOver) throw brokenOff(connection)
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

/** The events of a stream, as JSON. What is no JSON is a mark of the stream, such as `[DONE]`. */
async function* eventsOf(
  response: Response,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Fields> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body === null || !type.includes('text/event-stream')) {
    await response.body?.cancel()
    const given = type.split(';', 1)[0] || 'something'
    throw new ModelError(
      `${hostOf(connection)} answered with ${given}, not with a stream. Is the address right?`,
    )
  }
  const arrived: Fields[] = []
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ data }) => {
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
      const { done, value } = await read(stream, connection, signal)
      parser.feed(decoder.decode(value, { stream: !done }))
      yield* arrived.splice(0)
      if (done) return
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

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
