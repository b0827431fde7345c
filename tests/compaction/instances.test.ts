// The summary in a history of LangChain's instances, whose functions refuse plain objects.
import { mapChatMessagesToStoredMessages } from '@langchain/core/messages'
import {
  AIMessage,
  type BaseMessage,
  filterMessages,
  HumanMessage,
  HumanMessageChunk,
  SystemMessage,
  trimMessages,
} from 'langchain'
import { compact, isSummary } from 'trimtab/compaction'
import { describe, expect, test } from 'vitest'

const OPTIONS = { threshold: 100, keepRecentMessages: 4 }
const said = (i: number) => `${'so on '.repeat(80)}${i}`

type HumanClass = new (text: string) => BaseMessage

/** Twenty exchanges, with the user's messages of a class. */
const talk = (Human: HumanClass): BaseMessage[] =>
  Array.from({ length: 20 }, (_, i) => [new Human(said(i)), new AIMessage(said(i))]).flat()

/** The summary of a history, and the messages with it. */
async function summarised<M extends object>(history: readonly M[]) {
  const { compacted, messages } = await compact(history, OPTIONS)
  const summary = messages.find(isSummary)
  expect(compacted && summary !== undefined).toBe(true)
  return { messages, summary: summary as M }
}

describe('compact of LangChain messages', () => {
  test.each([
    ['HumanMessage', HumanMessage as HumanClass],
    ['HumanMessageChunk', HumanMessageChunk as HumanClass],
    ['a class of the host', class Own extends HumanMessage {} as HumanClass],
  ])('makes the summary a message of the class of the history: %s', async (_, Human) => {
    const history = [new SystemMessage('You are careful.'), ...talk(Human)]
    const { messages, summary } = await summarised(history)
    expect(summary).toBeInstanceOf(Human)
    expect(summary.constructor).toBe(Human)
    expect(summary.text).toContain('[Summary of the conversation so far.')
    expect(filterMessages(messages, { includeTypes: ['human'] })).toContain(summary)
    const kept = { maxTokens: 1e6, tokenCounter: (list: BaseMessage[]) => list.length }
    expect(await trimMessages(messages, kept)).toHaveLength(messages.length)
    const stored = mapChatMessagesToStoredMessages(messages)
    expect(stored.map(({ type }) => type).slice(0, 2)).toEqual(['system', 'human'])
    const again = [...messages, ...talk(Human)]
    expect((await summarised(again)).summary).toBeInstanceOf(Human)
  })

  test('keeps plain messages plain', async () => {
    const history = talk(HumanMessage).map(({ type, content }) => ({ type, content }))
    const { summary } = await summarised(history)
    expect(Object.getPrototypeOf(summary)).toBe(Object.prototype)
  })

  test('does not fail at a class that takes other arguments', async () => {
    class Own extends HumanMessage {
      constructor(words: string) {
        super(words.trim())
      }
    }
    const { summary } = await summarised(talk(Own))
    expect(summary).toMatchObject({ type: 'human', content: expect.stringContaining('[Summary of') })
  })
})
