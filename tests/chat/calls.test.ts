// An answer with several calls: each has its result in the history as soon as it has run.
import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import type { Tool, ToolCall } from 'trimtab/tools'
import { expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import type { Model, ModelRequest } from '../../www/src/chat/agent/model.js'
import { runTurn } from '../../www/src/chat/agent/run-turn.js'
import { problems } from '../node/oracle.js'

const FORMATS: Format[] = ['openai-chat', 'anthropic', 'gemini']

const call = (id: string, path: string, name = 'append_to_file') => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify({ path }) },
})

/** A tool that lists the files that it changed. */
function appending(changed: string[]): Tool {
  return {
    name: 'append_to_file',
    execute: async (args: unknown) => {
      const { path } = (typeof args === 'string' ? JSON.parse(args) : args) as { path: string }
      changed.push(path)
      return { content: `changed ${path}`, isError: false, ephemeral: false }
    },
  } as unknown as Tool
}

/** A model that gives these answers, in its format, and notes what it was sent. */
function model(format: Format, said: object[], sent: ModelRequest[] = []): Model {
  return {
    format,
    async *answer(request) {
      sent.push(request)
      const answer = said.shift() ?? { role: 'assistant', content: 'Done.' }
      yield {
        type: 'answer',
        messages: convertMessages([answer], format, { format: 'openai-chat' }).messages,
      }
    },
  }
}

const started = (format: Format) => {
  const conversation = new Conversation({ id: 'c', title: 'C', format, policy: {} })
  conversation.say('user', 'append', 1)
  return conversation
}

const signal = new AbortController().signal
const now = () => 1

test.each(FORMATS)('while a call waits, the one before has its result: %s', async (format) => {
  const changed: string[] = []
  const agent = { tools: [appending(changed)], signal, now }
  const conversation = started(format)
  const calls = [call('a', 'one.md'), call('b', 'two.md'), call('c', 'three.md')]
  const waits = new Promise<void>((resolve) => {
    const refusal = (asked: ToolCall) => {
      if (!asked.arguments.includes('three')) return Promise.resolve(null)
      resolve()
      return new Promise<never>(() => {})
    }
    const answers = [{ role: 'assistant', content: 'I append.', tool_calls: calls }]
    void runTurn(conversation, { ...agent, model: model(format, answers), refusal })
  })
  await waits
  expect(changed).toEqual(['one.md', 'two.md'])
  // As the page would have it after a reload.
  const loaded = Conversation.fromJSON(structuredClone(conversation.toJSON()))
  const sent: ModelRequest[] = []
  await runTurn(loaded, { ...agent, model: model(format, [], sent) })
  expect(loaded.failure).toBeNull()
  const told = JSON.stringify(sent[0]?.messages)
  const places = ['changed one.md', 'changed two.md', 'interrupted before it had a result'].map((text) =>
    told.indexOf(text),
  )
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(told.split('interrupted before')).toHaveLength(2)
  expect(problems([...(sent[0]?.messages ?? [])], format)).toEqual([])
})

test.each(FORMATS)('results of several calls are the same as added at once: %s', async (format) => {
  const conversation = started(format)
  const calls = [call('a', 'one.md'), call('b', 'two.md')]
  const answers = [{ role: 'assistant', content: 'I append.', tool_calls: calls }]
  await runTurn(conversation, { tools: [appending([])], signal, now, model: model(format, answers) })
  expect(problems([...conversation.messages], format)).toEqual([])
  expect(conversation.messages).toHaveLength(format === 'openai-chat' ? 5 : 4)
})

test('a call of a tool that does not exist asks for no approval', async () => {
  const conversation = started('openai-chat')
  const asked: string[] = []
  const refusal = async ({ name }: ToolCall) => {
    asked.push(name)
    return null
  }
  const calls = [call('a', 'one.md', 'read'), call('b', 'two.md')]
  const answers = [{ role: 'assistant', content: '', tool_calls: calls }]
  await runTurn(conversation, {
    tools: [appending([])],
    signal,
    now,
    refusal,
    model: model('openai-chat', answers),
  })
  expect(asked).toEqual(['append_to_file'])
  expect(JSON.stringify(conversation.messages[2])).toContain('there is no tool')
})
