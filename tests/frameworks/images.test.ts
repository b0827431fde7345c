// Recalled screenshots are images again, in each framework whose tools can return one.
import {
  Agent,
  type AgentOutputItem,
  type Model,
  Runner,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents'
import * as ai7 from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import * as ai6 from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { AIMessage, type BaseMessage, HumanMessage, tool as langChainTool, ToolMessage } from 'langchain'
import { clearOldToolUses } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as langChain } from 'trimtab/langchain'
import { trimtab as openAiAgents } from 'trimtab/openai-agents'
import { expect, test } from 'vitest'

const POLICY = {
  ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } }),
  recall: true,
}
const dataOf = (i: number) => Buffer.from(`screenshot ${i} `.repeat(200)).toString('base64')
const referenceIn = (sent: unknown) => /recall ([0-9a-f]{8})/.exec(JSON.stringify(sent))?.[1] ?? ''

/** The model's call at a request: two screenshots, then a recall of the first; no call at the end. */
function callAt(request: number, sent: unknown): { name: string; args: object } | undefined {
  if (request < 2) return { name: 'look', args: {} }
  return request === 2 ? { name: 'recall', args: { reference: referenceIn(sent) } } : undefined
}

/** Checks that the first screenshot is cleared when it is recalled, and shown afterwards. */
function expectScreenshots(sent: readonly unknown[]): void {
  expect(sent).toHaveLength(4)
  const [, , asked, given] = sent.map((request) => JSON.stringify(request))
  expect(asked).not.toContain(dataOf(0))
  expect(asked).toContain(dataOf(1))
  expect(given).toContain(dataOf(0))
}

/** Answer of an AI SDK model. */
function answerOf(call: { name: string; args: object } | undefined, i: number) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  if (call === undefined)
    return {
      content: [{ type: 'text' as const, text: 'Done.' }],
      finishReason: { unified: 'stop' as const, raw: 'stop' },
      usage,
      warnings: [],
    }
  const { name: toolName, args } = call
  const part = { type: 'tool-call' as const, toolCallId: `c${i}`, toolName, input: JSON.stringify(args) }
  return { content: [part], finishReason: { unified: 'tool-calls' as const, raw: 'x' }, usage, warnings: [] }
}

const NOTHING = { type: 'object' as const, properties: {} }

test('a recalled image reaches the model as an image in AI SDK 7', async () => {
  using trim = aiSdk(POLICY)
  const sent: unknown[] = []
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => answerOf(callAt(sent.push(prompt) - 1, prompt), sent.length),
  })
  let taken = 0
  const look = ai7.tool({
    inputSchema: ai7.jsonSchema(NOTHING),
    execute: () => dataOf(taken++),
    toModelOutput: ({ output }) => ({
      type: 'content',
      value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: String(output) } }],
    }),
  })
  const wrapped = ai7.wrapLanguageModel({ model, middleware: trim.middleware })
  const tools = { look, ...trim.tools }
  await ai7.generateText({ model: wrapped, tools, prompt: 'book', stopWhen: ai7.stepCountIs(5) })
  expectScreenshots(sent)
})

test('a recalled image reaches the model as an image in AI SDK 6', async () => {
  using trim = aiSdk(POLICY)
  const sent: unknown[] = []
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => answerOf(callAt(sent.push(prompt) - 1, prompt), sent.length),
  })
  let taken = 0
  const look = ai6.tool({
    inputSchema: ai6.jsonSchema(NOTHING),
    execute: () => dataOf(taken++),
    toModelOutput: ({ output }) => ({
      type: 'content',
      value: [{ type: 'image-data', data: String(output), mediaType: 'image/png' }],
    }),
  })
  const tools = { look, ...trim.tools }
  const { prepareStep } = trim
  await ai6.generateText({ model, tools, prompt: 'book', prepareStep, stopWhen: ai6.stepCountIs(5) })
  expectScreenshots(sent)
})

test('recall returns an image in LangChain', async () => {
  using trim = langChain(POLICY)
  const shot = (i: number) => [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${dataOf(i)}` } },
  ]
  const messages: BaseMessage[] = [new HumanMessage('book')]
  for (const i of [0, 1])
    messages.push(
      new AIMessage({ content: '', tool_calls: [{ id: `c${i}`, name: 'look', args: {} }] }),
      new ToolMessage({ content: shot(i), tool_call_id: `c${i}`, name: 'look' }),
    )
  let view: object[] = []
  await trim.middleware.wrapModelCall({ messages, model: {} }, (request) => {
    view = request.messages
  })
  expect(JSON.stringify(view)).not.toContain(dataOf(0))
  const [run, fields] = trim.recall
  const recall = langChainTool((args) => run(args as { reference: string }, { state: { messages } }), fields)
  const args = { reference: referenceIn(view) }
  const answer: unknown = await recall.invoke({ type: 'tool_call', id: 'r', name: 'recall', args })
  expect(answer).toBeInstanceOf(ToolMessage)
  expect((answer as ToolMessage).content).toEqual(shot(0))
})

test('a recalled image reaches the model as an image in OpenAI Agents', async () => {
  setTracingDisabled(true)
  using trim = openAiAgents(POLICY)
  const sent: unknown[] = []
  const model: Model = {
    async getResponse({ input }) {
      const call = callAt(sent.push(input) - 1, input)
      const output: AgentOutputItem[] =
        call === undefined
          ? [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'Done.' }],
              },
            ]
          : [
              {
                type: 'function_call',
                callId: `c${sent.length}`,
                name: call.name,
                status: 'completed',
                arguments: JSON.stringify(call.args),
              },
            ]
      return { usage: new Usage(), output }
    },
    getStreamedResponse: () => {
      throw new Error('not asked for')
    },
  }
  let taken = 0
  const look = tool({
    name: 'look',
    description: 'Takes a screenshot.',
    strict: false,
    parameters: { ...NOTHING, required: [], additionalProperties: true },
    execute: () => ({ type: 'image' as const, image: `data:image/png;base64,${dataOf(taken++)}` }),
  })
  const agent = new Agent({ name: 'a', model: trim.model(model), tools: [look, tool(trim.recall)] })
  await new Runner().run(agent, 'book')
  expectScreenshots(sent)
})
