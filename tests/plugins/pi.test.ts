import { clearOldToolUses, TrimtabError } from 'trimtab'
import { type PiApi, type PiContent, type PiContext, type PiRecall, trimtab } from 'trimtab/pi'
import { expect, test } from 'vitest'
import { POLICY } from '../frameworks/expectations.js'
import { type Host, play } from './play.js'

interface Part {
  type: string
  text?: string
  [field: string]: unknown
}

interface Message {
  role: string
  content?: Part[] | string
  [field: string]: unknown
}
type OnContext = (event: { messages: Message[] }, context: PiContext) => { messages: Message[] }

/** pi's side of an extension: it passes copies of a session's messages and sends the returned ones. */
class Pi {
  #onContext: OnContext = () => expect.fail('no handler of context')
  #onShutdown: () => void = () => expect.fail('no handler of session_shutdown')
  #recall: PiRecall | undefined

  constructor(extension: (pi: PiApi) => void) {
    extension({
      on: (event: string, handler: unknown) => {
        if (event === 'context') this.#onContext = handler as OnContext
        else this.#onShutdown = handler as () => void
      },
      registerTool: (tool: PiRecall) => {
        this.#recall = tool
      },
    } as PiApi)
  }

  context(session: string): PiContext {
    return {
      sessionManager: { getSessionId: () => session },
      model: { id: 'm' },
      getSystemPrompt: () => 'Work.',
    }
  }

  sent(messages: readonly Message[], session = 's'): Message[] {
    return this.#onContext({ messages: structuredClone([...messages]) }, this.context(session)).messages
  }

  async recalled(args: object, session = 's'): Promise<PiContent[]> {
    const answer = await this.#recall?.execute('id', args, undefined, undefined, this.context(session))
    return answer?.content ?? []
  }

  async recall(args: object, session = 's'): Promise<string> {
    const [first] = await this.recalled(args, session)
    return first?.type === 'text' ? first.text : ''
  }

  shutdown(): void {
    this.#onShutdown()
  }
}

const usage = (input: number) => ({ input, output: 9, cacheRead: 0, cacheWrite: 0, totalTokens: input })

function use(id: string, name: string, input: object, content: Part[], tokens = 0): Message[] {
  const call = { type: 'toolCall', id, name, arguments: input }
  const common = { api: 'anthropic-messages', provider: 'anthropic', model: 'm', stopReason: 'toolUse' }
  return [
    { role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call], usage: usage(tokens), ...common },
    { role: 'toolResult', toolCallId: id, toolName: name, content, details: { a: 1 }, isError: false },
  ]
}

const textPart = (text: string) => ({ type: 'text', text })

function hostOf(pi: Pi, thread: string): Host {
  const session: Message[] = [{ role: 'user', content: `${thread}: read all files`, timestamp: 1 }]
  const texts = ({ content }: Message) => (content as { text: string }[]).map(({ text }) => text)
  return {
    request: () => Promise.resolve(JSON.stringify(pi.sent(session, thread))),
    step: ({ id, name, input }, result, tokens) =>
      session.push(...use(id, name, input, [textPart(result)], tokens)),
    recall: ({ input }) => pi.recall(input, thread),
    results: () => session.filter(({ role }) => role === 'toolResult').flatMap(texts),
  }
}

test('two sessions at once run 60 steps', async () => {
  const pi = new Pi(trimtab(POLICY))
  await Promise.all(['thread-one', 'thread-two'].map((thread) => play(hostOf(pi, thread), thread)))
})

const NOW = {
  ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } }),
  recall: true,
}
const text = 'line\n'.repeat(400)

test('messages that only pi has stay unchanged, and edited ones keep their other fields', async () => {
  const pi = new Pi(trimtab(NOW))
  const image = { type: 'image', data: 'iVBO', mimeType: 'image/png' }
  const thinking = { type: 'thinking', thinking: 'hm' }
  const messages: Message[] = [
    { role: 'compactionSummary', summary: 'Much was done.', tokensBefore: 9, timestamp: 1 },
    { role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 0, cancelled: false, timestamp: 2 },
    { role: 'custom', customType: 'note', content: [textPart('mind'), image], display: true, timestamp: 3 },
    ...use('a', 'read', { path: 'a.ts' }, [textPart(text), image]),
    { role: 'assistant', content: [thinking, textPart('So.')], api: 'anthropic-messages', usage: usage(0) },
    ...use('b', 'read', { path: 'b.ts' }, [textPart(text)]),
  ]
  const view = pi.sent(messages)
  expect(view.flatMap((message, i) => (isSame(message, messages[i]) ? [] : [i]))).toEqual([4])
  const stub = [{ type: 'text', text: expect.stringMatching(/recall [0-9a-f]{8}/) }]
  expect(view[4]).toEqual({ ...messages[4], content: stub })
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

type Written = { arguments: { path: string; content: string } }

test('a policy with `inputs` clips arguments of old calls', () => {
  const pi = new Pi(trimtab({ ...NOW, inputs: { after: 0 } }))
  const long = 'const a = 1\n'.repeat(400)
  const messages = [
    { role: 'user', content: 'go', timestamp: 1 },
    ...use('a', 'write', { path: 'a.ts', content: long }, [textPart('written')]),
    ...use('b', 'read', { path: 'b.ts' }, [textPart(text)]),
    ...use('c', 'read', { path: 'c.ts' }, [textPart(text)]),
  ]
  const [, answer] = pi.sent(messages)
  const [said, call] = (answer as Message).content as unknown as [object, Written]
  expect(said).toEqual(textPart('Next.'))
  expect(call.arguments.path).toBe('a.ts')
  expect(call.arguments.content.length).toBeLessThan(long.length / 2)
})

test('recall works in the same session only, also after a summary', async () => {
  const pi = new Pi(trimtab(NOW))
  const first = { role: 'user', content: 'go', timestamp: 1 }
  const messages = ['a', 'b'].flatMap((id) => use(id, 'read', { id }, [textPart(`${id}\n${text}`)]))
  const reference = /recall ([0-9a-f]{8})/.exec(JSON.stringify(pi.sent([first, ...messages])))?.[1]
  pi.sent([{ role: 'compactionSummary', summary: 'It was read.', timestamp: 2 }])
  expect(await pi.recall({ reference })).toBe(`a\n${text}`)
  expect(await pi.recall({ reference }, 'other')).toMatch(/^Error: /)
  pi.shutdown()
  expect(await pi.recall({ reference })).toMatch(/^Error: /)
})

test('recall returns an image as an image', async () => {
  const pi = new Pi(trimtab(NOW))
  const content = [textPart(text), { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }]
  const first = { role: 'user', content: 'go', timestamp: 1 }
  const messages = [first, ...use('a', 'look', {}, content), ...use('b', 'look', {}, [textPart(text)])]
  const reference = /recall ([0-9a-f]{8})/.exec(JSON.stringify(pi.sent(messages)))?.[1]
  expect(await pi.recalled({ reference })).toEqual(content)
})

test('an invalid policy is refused when the extension is loaded', () => {
  expect(() => trimtab({ clear: { keep: -1 } } as never)).toThrow(TrimtabError)
})
