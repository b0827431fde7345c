import { plural } from '../../numbers.js'
import { ModelError } from '../agent/model.js'
import { type Connection, hostOf } from './connection.js'
import { type Fields, fieldsOf, isFields, textOf } from './wire.js'

/** Number of characters shown of a provider's message. */
const WORDS = 300

/** Describes a failed request for the user: what happened, what the provider says, what to do. */
export async function refusalOf(response: Response, connection: Connection): Promise<ModelError> {
  const { status } = response
  const said = wordsOf(await bodyOf(response), connection)
  const host = hostOf(connection)
  const seconds = secondsIn(response.headers.get('retry-after') ?? '')
  const wait = seconds === null ? '' : ` It asks to wait ${plural(seconds, 'second')}.`
  return new ModelError(
    `${sentenceOf(status, host, connection)} (${status}).${wait}${quoted(said)}`,
    seconds ?? 0,
  )
}

/** Describes an answer that is not a stream: servers that do not stream report errors this way. */
export async function notAStream(response: Response, connection: Connection): Promise<ModelError> {
  const said = typeOf(response).includes('json') ? wordsOf(await bodyOf(response), connection) : ''
  await response.body?.cancel().catch(() => {})
  const type = typeOf(response).split(';', 1)[0] || 'something'
  return new ModelError(
    `${hostOf(connection)} answered with ${type}, not with a stream. Is the address right?${quoted(said)}`,
  )
}

/** Returns the content type, which servers write in any case. */
export const typeOf = ({ headers }: Response): string => (headers.get('content-type') ?? '').toLowerCase()

const quoted = (said: string) => (said === '' ? '' : ` It says: ${said}`)

/** Returns the seconds to wait according to `Retry-After`, a number or a date; `null` if it has none. */
function secondsIn(after: string): number | null {
  const seconds = /^[\d.]+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000
  return seconds > 0 && Number.isFinite(seconds) ? Math.ceil(seconds) : null
}

function sentenceOf(status: number, host: string, { key, model }: Connection): string {
  switch (status) {
    case 401:
    case 403:
      return key === '' ? `${host} asks for a key` : `${host} does not accept the key`
    case 404:
      return `${host} has nothing at this address, or no model ${model}`
    case 413:
      return `The request is too large for ${host}`
    case 429:
      return `${host} limits how often it may be asked`
    case 503:
    case 529:
      return `${host} is overloaded`
    default:
      return status >= 500 ? `${host} failed` : `${host} refused the request`
  }
}

/** Returns the error in an event of a stream; `null` if the event has none. */
export function problemOf(event: Fields, connection: Connection): ModelError | null {
  if (event.error === undefined || event.error === null) return null
  const said = wordsOf(event, connection)
  return new ModelError(`${hostOf(connection)} broke the answer off${said === '' ? '.' : `: ${said}`}`)
}

/** Maximum bytes read of an error's body, which may never end. */
const MOST_OF_BODY = 65_536

async function firstOf(response: Response): Promise<string> {
  const stream = response.body?.getReader()
  if (stream === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; size < MOST_OF_BODY; ) {
    const { done, value } = await stream.read()
    if (done) break
    size += value.length
    text += decoder.decode(value, { stream: true })
  }
  await stream.cancel().catch(() => {})
  return text
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    const text = await firstOf(response)
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text.trimStart().startsWith('<') ? '' : text
    }
  } catch {
    return ''
  }
}

/** Returns a provider's error message on one line. Some repeat the key, which is masked. */
function wordsOf(body: unknown, { key }: Connection): string {
  // Gemini wraps errors in a list if they occur before the stream.
  const fields = fieldsOf(Array.isArray(body) ? body[0] : body)
  const error = fields.error
  const said = isFields(error)
    ? textOf(error.message)
    : textOf(error) || textOf(fields.message) || textOf(body)
  const words = (key === '' ? said : said.replaceAll(key, '•••')).replace(/\s+/g, ' ').trim()
  return words.length > WORDS ? `${words.slice(0, WORDS)}…` : words
}
