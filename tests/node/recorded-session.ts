import { existsSync, readFileSync } from 'node:fs'

/**
 * The method behind the project's table of policies (docs/explain/caching-and-cost.md), independent of the
 * package: a real pi session entry by entry, a simple measure of text, and the plain policies in a few lines
 * each.
 */
const FILE = new URL('../../../shared/data/pi-large-session.jsonl', import.meta.url)

export const hasRecordedSession = existsSync(FILE)
if (!hasRecordedSession) console.log('the recorded session: skipped, ../shared/data is not there')

export const recordedText = (): string => readFileSync(FILE, 'utf8')

interface Block {
  type: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  arguments?: Record<string, unknown>
}

interface Entry {
  role: 'user' | 'assistant' | 'toolResult'
  content: string | Block[]
  toolCallId?: string
}

const chars = new WeakMap<object, number>()

/**
 * Each entry as one Chat Completions message, including answers without content, since each was a request.
 */
export function recordedSession(): object[] {
  const lines = recordedText().trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as { type: string; message: Entry })
  return records.filter(({ type }) => type === 'message').map(({ message }) => chatMessage(message))
}

function chatMessage(entry: Entry): object {
  const blocks = typeof entry.content === 'string' ? [{ type: 'text', text: entry.content }] : entry.content
  const message = wireMessage(entry, blocks)
  chars.set(message, blocks.map(recipeText).filter(Boolean).join('\n').length)
  return message
}

function wireMessage(entry: Entry, blocks: readonly Block[]): object {
  const content = blocks.map(({ text }) => text ?? '').join('')
  if (entry.role === 'user') return { role: 'user', content }
  if (entry.role === 'toolResult') return { role: 'tool', tool_call_id: entry.toolCallId, content }
  const calls = blocks.filter(({ type }) => type === 'toolCall')
  const tool_calls = calls.map(({ id, name, arguments: input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { role: 'assistant', content, ...(tool_calls.length > 0 ? { tool_calls } : {}) }
}

function recipeText({ type, text, thinking, arguments: input }: Block): string {
  if (type === 'toolCall') return unescaped(JSON.stringify(input, null, 1))
  return text ?? thinking ?? ''
}

/** JSON on one line with blanks after commas and colons, and with its most common escapes decoded. */
function unescaped(json: string): string {
  const line = json.replace(/,\n */g, ', ').replace(/\n */g, '')
  return line.replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\t', '\t')
}

const STUB = '[cleared]'

/** Characters / 3, the table's measure of tokens. */
export function recipeTokens(message: object): number {
  return (chars.get(message) ?? STUB.length) / 3
}

/** The same, with the stubs and calls of a policy measured as they are. */
export function stubTokens(message: object): number {
  const { content, tool_calls = [] } = message as { content: string; tool_calls?: Call[] }
  const known = chars.get(message)
  if (known !== undefined) return known / 3
  const calls = tool_calls.map((call) =>
    unescaped(JSON.stringify(JSON.parse(call.function.arguments), null, 1)),
  )
  return [content, ...calls].filter(Boolean).join('\n').length / 3
}

type View = (messages: readonly object[]) => object[]

/** A view that clears the results chosen by `choose`, given as positions in the history. */
function clearing(choose: (results: number[], messages: readonly object[]) => Iterable<number>): View {
  const stubs = new WeakMap<object, object>()
  const stubOf = (message: object): object => {
    const known = stubs.get(message) ?? { ...message, content: STUB }
    stubs.set(message, known)
    return known
  }
  return (messages) => {
    const results = messages.flatMap((message, index) => ('tool_call_id' in message ? [index] : []))
    const gone = new Set(choose(results, messages))
    return messages.map((message, index) => (gone.has(index) ? stubOf(message) : message))
  }
}

const tokensOf = (messages: readonly object[]): number =>
  messages.reduce<number>((sum, message) => sum + recipeTokens(message), 0)

/** Keeps the newest results and clears all others, at every step. */
export const sliding = (keep: number): View => clearing((results) => results.slice(0, -keep))

/** Clears all but the newest results whenever the view has reached `trigger` tokens. */
export function clearAt(trigger: number, keep: number): View {
  const gone = new Set<number>()
  return clearing((results, messages) => {
    const shown = tokensOf(messages) - tokensOf([...gone].map((index) => messages[index] as object))
    if (shown + gone.size * (STUB.length / 3) >= trigger)
      for (const index of results.slice(0, -keep)) gone.add(index)
    return gone
  })
}

/** Clears all but the newest results as soon as that saves `least` tokens. */
export function batches(keep: number, least: number): View {
  const gone = new Set<number>()
  return clearing((results, messages) => {
    const old = results.slice(0, -keep).filter((index) => !gone.has(index))
    if (tokensOf(old.map((index) => messages[index] as object)) >= least)
      for (const index of old) gone.add(index)
    return gone
  })
}

/** Rolling context as in its document: clears old results, except those of files that a recent call names. */
export const rolling = (age: number): View =>
  clearing((results, messages) => {
    const steps = stepsOf(messages)
    const now = steps.at(-1) ?? 0
    const paths = pathsById(messages)
    const pathOf = (index: number) => paths.get((messages[index] as { tool_call_id: string }).tool_call_id)
    const active = new Set(
      results
        .filter((index) => now - (steps[index] as number) <= age)
        .map(pathOf)
        .filter(Boolean),
    )
    return results.filter((index) => now - (steps[index] as number) > age && !active.has(pathOf(index)))
  })

function stepsOf(messages: readonly object[]): number[] {
  let step = 0
  return messages.map((message) => {
    if ((message as { role: string }).role === 'assistant') step += 1
    return step
  })
}

function pathsById(messages: readonly object[]): Map<string, string | undefined> {
  const calls = messages.flatMap((message) => (message as { tool_calls?: Call[] }).tool_calls ?? [])
  return new Map(calls.map(({ id, function: called }) => [id, pathIn(called.arguments)]))
}

interface Call {
  id: string
  function: { arguments: string }
}

const pathIn = (json: string): string | undefined => (JSON.parse(json) as { path?: string }).path
