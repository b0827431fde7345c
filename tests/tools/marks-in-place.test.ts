// The mark of an ephemeral result, set in place after the message was read: its content must not stay anywhere.
import { Context, cleanupEphemeralMessages, type Format, rollingContext } from 'trimtab'
import { memoryStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'

const SECRET = 'SECRET '.repeat(100)

type Holder = Record<string, unknown>
interface Marked {
  format: Format
  history: Holder[]
  /** What holds the mark's object, and the name of that field. */
  holder: Holder
  field: string
}

/** A finished turn with one result, in each format; the mark is on the message of the result, or on the part. */
const TURNS: Record<string, () => Omit<Marked, 'history'> & { messages: Holder[] }> = {
  anthropic: () => {
    const call = { type: 'tool_use', id: 'a', name: 'env', input: {} }
    const block = { type: 'tool_result', tool_use_id: 'a', content: SECRET }
    const holder: Holder = { role: 'user', content: [block] }
    return { format: 'anthropic', holder, field: 'metadata', messages: [asked(call), holder] }
  },
  'openai-chat': () => {
    const call = { id: 'a', type: 'function', function: { name: 'env', arguments: '{}' } }
    const holder: Holder = { role: 'tool', tool_call_id: 'a', content: SECRET }
    const messages = [{ role: 'assistant', content: null, tool_calls: [call] }, holder]
    return { format: 'openai-chat', holder, field: 'metadata', messages }
  },
  'openai-responses': () => {
    const call = { type: 'function_call', call_id: 'a', name: 'env', arguments: '{}' }
    const holder: Holder = { type: 'function_call_output', call_id: 'a', output: SECRET }
    return { format: 'openai-responses', holder, field: 'metadata', messages: [call, holder] }
  },
  gemini: () => {
    const call = { functionCall: { id: 'a', name: 'env', args: {} } }
    const answer = { functionResponse: { id: 'a', name: 'env', response: { output: SECRET } } }
    const holder: Holder = { role: 'user', parts: [answer] }
    return {
      format: 'gemini',
      holder,
      field: 'metadata',
      messages: [{ role: 'model', parts: [call] }, holder],
    }
  },
  langchain: () => {
    const call = { id: 'a', name: 'env', args: {} }
    const holder: Holder = { type: 'tool', tool_call_id: 'a', content: SECRET }
    const messages = [{ type: 'ai', content: '', tool_calls: [call] }, holder]
    return { format: 'langchain', holder, field: 'metadata', messages }
  },
  'ai-sdk': () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'env', input: {} }
    const output = { type: 'text', value: SECRET }
    const holder: Holder = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'env', output }],
    }
    return { format: 'ai-sdk', holder, field: 'metadata', messages: [asked(call), holder] }
  },
  'ai-sdk-ui, the part': () => {
    const holder: Holder = {
      type: 'tool-env',
      toolCallId: 'a',
      state: 'output-available',
      input: {},
      output: SECRET,
    }
    const messages = [
      { id: 'm', role: 'assistant', parts: [holder, { type: 'step-start' }, { type: 'text', text: 'done' }] },
    ]
    return { format: 'ai-sdk-ui', holder, field: 'toolMetadata', messages }
  },
  'ai-sdk-ui, the message': () => {
    const part = {
      type: 'tool-env',
      toolCallId: 'a',
      state: 'output-available',
      input: {},
      output: SECRET,
    }
    const holder: Holder = {
      id: 'm',
      role: 'assistant',
      parts: [part, { type: 'step-start' }, { type: 'text', text: 'done' }],
    }
    return { format: 'ai-sdk-ui', holder, field: 'metadata', messages: [holder] }
  },
}

const asked = (call: object) => ({ role: 'assistant', content: [call] })

function turn(name: string): Marked {
  const { messages, ...marked } = (TURNS[name] as (typeof TURNS)[string])()
  const said = (role: 'user' | 'assistant', text: string): Holder => {
    switch (marked.format) {
      case 'gemini':
        return { role: role === 'user' ? 'user' : 'model', parts: [{ text }] }
      case 'langchain':
        return { type: role === 'user' ? 'human' : 'ai', content: text }
      case 'ai-sdk-ui':
        return { id: text, role, parts: [{ type: 'text', text }] }
      default:
        return { role, content: text }
    }
  }
  const history = [said('user', 'go'), ...messages, said('assistant', 'done')]
  return { ...marked, history: marked.format === 'ai-sdk-ui' ? history.slice(0, -1) : history }
}

/** The object that holds the mark is there before; or it is new. */
const BEFORE: Record<string, unknown> = { 'in an object': { of: 'the host' }, anew: undefined }

const CASES = Object.keys(TURNS).flatMap((name) =>
  Object.keys(BEFORE).map((before) => [name, before] as const),
)

function mark({ holder, field }: Marked): void {
  const metadata = holder[field] as Holder | undefined
  if (metadata === undefined) holder[field] = { ephemeral: true }
  else metadata.ephemeral = true
}

function start(name: string, before: string): Marked {
  const marked = turn(name)
  const object = BEFORE[before]
  if (object !== undefined) marked.holder[marked.field] = structuredClone(object)
  return marked
}

describe('a mark that is set in place, after the history was read', () => {
  test.each(CASES)('by cleanupEphemeralMessages: %s, %s', (name, before) => {
    const marked = start(name, before)
    const { format, history } = marked
    expect(JSON.stringify(cleanupEphemeralMessages(history, { format }))).toContain(SECRET)
    mark(marked)
    expect(JSON.stringify(cleanupEphemeralMessages(history, { format }))).not.toContain(SECRET)
  })

  test.each(CASES)('by a Context: %s, %s', (name, before) => {
    const marked = start(name, before)
    const { format, history } = marked
    const context = new Context({ ...rollingContext(), ephemeral: true }, { format })
    expect(JSON.stringify(context.project(history).messages)).toContain(SECRET)
    mark(marked)
    expect(JSON.stringify(context.project(history).messages)).not.toContain(SECRET)
    expect(JSON.stringify(context.endTurn(history))).not.toContain(SECRET)
  })

  test.each(CASES)('by saveSession: %s, %s', async (name, before) => {
    const marked = start(name, before)
    const { format, history } = marked
    const store = memoryStore()
    await saveSession(store, 's', { format, history })
    mark(marked)
    await saveSession(store, 's', { format, history })
    expect(JSON.stringify((await store.read('s'))?.entries)).not.toContain('SECRET')
  })

  test.each(CASES)('and taken away again: %s, %s', (name, before) => {
    const marked = start(name, before)
    const { format, history, holder, field } = marked
    const context = new Context({ ...rollingContext(), ephemeral: true }, { format })
    mark(marked)
    expect(JSON.stringify(context.project(history).messages)).not.toContain(SECRET)
    ;(holder[field] as Holder).ephemeral = false
    expect(JSON.stringify(context.project(history).messages)).toContain(SECRET)
  })
})
