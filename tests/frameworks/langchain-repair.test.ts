// Results that `repair` adds to a history of LangChain's instances, whose functions refuse plain objects.
import { mapChatMessagesToStoredMessages } from '@langchain/core/messages'
import { AIMessage, type BaseMessage, filterMessages, HumanMessage, ToolMessage } from 'langchain'
import { repair, validate } from 'trimtab'
import { describe, expect, test } from 'vitest'

const calls = (...ids: string[]) =>
  new AIMessage({
    content: '',
    tool_calls: ids.map((id) => ({ id, name: 'ls', args: {}, type: 'tool_call' })),
  })

const result = (id: string, Class: typeof ToolMessage = ToolMessage) =>
  new Class({ content: 'files', tool_call_id: id })

/** A history in which two calls were interrupted. */
const interrupted = (Class?: typeof ToolMessage): BaseMessage[] => [
  new HumanMessage('go'),
  calls('a'),
  result('a', Class),
  calls('b', 'c', 'd'),
  result('c', Class),
]

class Own extends ToolMessage {}

describe('repair of LangChain messages', () => {
  test.each([
    ['ToolMessage', ToolMessage],
    ['a class of the host', Own as typeof ToolMessage],
  ])('adds results of the class of the history: %s', (_, Class) => {
    const history = interrupted(Class)
    const { messages, repairs } = repair(history)
    expect(repairs.length).toBeGreaterThan(0)
    expect(validate(messages)).toEqual([])
    const added = messages.filter((message) => !history.includes(message))
    expect(added.map((message) => message.constructor)).toEqual([Class, Class])
    expect(added.map((message) => (message as ToolMessage).tool_call_id).sort()).toEqual(['b', 'd'])
    expect(added.map((message) => (message as ToolMessage).status)).toEqual(['error', 'error'])
    expect(filterMessages(messages, { includeTypes: ['tool'] })).toHaveLength(4)
    expect(mapChatMessagesToStoredMessages(messages)).toHaveLength(messages.length)
  })

  test('keeps plain messages plain', () => {
    const plain = interrupted().map((message) => {
      const { content, type, tool_calls, tool_call_id } = message as BaseMessage & Record<string, unknown>
      return JSON.parse(JSON.stringify({ type, content, tool_calls, tool_call_id })) as object
    })
    const added = repair(plain).messages.filter((message) => !plain.includes(message))
    expect(added).toHaveLength(2)
    for (const message of added) expect(Object.getPrototypeOf(message)).toBe(Object.prototype)
  })

  test('does not fail at a class that takes other arguments', () => {
    class Strange extends ToolMessage {
      constructor(fields: ConstructorParameters<typeof ToolMessage>[0]) {
        const { tool_call_id } = fields as { tool_call_id: string }
        if (tool_call_id !== 'a' && tool_call_id !== 'c') throw new Error('not mine')
        super(fields)
      }
    }
    const { messages } = repair(interrupted(Strange as typeof ToolMessage))
    expect(validate(messages)).toEqual([])
    expect(messages).toHaveLength(7)
  })
})
