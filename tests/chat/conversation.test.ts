import { type Policy, rollingContext } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'

function conversationWith(policy: Policy = {}): Conversation {
  const conversation = new Conversation({ id: 'c', title: 'C', format: 'openai-chat', policy })
  conversation.say('user', 'why?', 1)
  return conversation
}

describe('an answer that breaks off', () => {
  async function brokenOff(): Promise<Conversation> {
    const conversation = conversationWith()
    await conversation.request(2)
    conversation.receive({ type: 'text', text: 'Half an answer' })
    conversation.fail('the connection was closed')
    return conversation
  }

  test('is in the history once the user goes on', async () => {
    const conversation = await brokenOff()
    conversation.say('user', 'and now?', 3)
    expect(conversation.messages).toEqual([
      { role: 'user', content: 'why?' },
      { role: 'assistant', content: 'Half an answer' },
      { role: 'user', content: 'and now?' },
    ])
    expect(conversation.notes).toEqual([{ after: 2, kind: 'broken-off' }])
    expect(conversation.failure).toBeNull()
  })

  test('is dropped if its request is repeated', async () => {
    const conversation = await brokenOff()
    await conversation.request(3)
    expect(conversation.messages).toEqual([{ role: 'user', content: 'why?' }])
    expect(conversation.notes).toEqual([])
  })
})

/** A call and its result, of some thousand tokens. */
const step = (id: number) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: `c${id}`, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } },
    ],
  },
  { role: 'tool', tool_call_id: `c${id}`, content: `line ${id} of the log\n`.repeat(800) },
]

test('a pause lasts until trimming resumes, also under another policy', async () => {
  const conversation = conversationWith(rollingContext())
  let steps = 0
  const next = async () => {
    conversation.append(step(steps++))
    await conversation.request(steps * 1000)
    return conversation.requests.at(-1)?.edits.length ?? 0
  }
  while ((await next()) === 0) expect(steps).toBeLessThan(60)
  const trim = conversation.requests.at(-1)
  if (trim === undefined) throw new Error('no request')
  conversation.undoTrim(trim)
  conversation.setPolicy(rollingContext({ maxToolOutputAge: 0 }))
  expect(conversation.isPaused).toBe(true)
  for (let more = 0; more < 5; more++) expect(await next()).toBe(0)
  conversation.resumeTrimming()
  expect(await next()).toBeGreaterThan(0)
})
