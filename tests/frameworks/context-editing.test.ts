// How each framework edits old tool results by itself, compared with a policy of the same meaning by the
// results left whole. Frameworks installed here are called; the others are reimplemented from their source or
// documentation.
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages'
import { type ModelMessage, pruneMessages } from 'ai'
import { ClearToolUsesEdit } from 'langchain'
import { clearOldToolUses, inspect, type Policy, project, validate } from 'trimtab'
import { describe, expect, test } from 'vitest'

const TOOLS = ['read_file', 'bash', 'grep'] as const
const STEPS = 12
/** Approximate estimated tokens of each result, and of a stub. */
const SIZE = 1000
const STUB = 25

interface Step {
  id: string
  tool: string
  output: string
}

const STEP_LIST: readonly Step[] = Array.from({ length: STEPS }, (_, i) => ({
  id: `call-${i}`,
  tool: TOOLS[i % TOOLS.length] as string,
  output: `result ${i}\n${`${i} and a line of what the tool said\n`.repeat(100)}`,
}))

/** Steps per turn: there are two turns. */
const TURN = STEPS / 2
const tokensOf = (messages: readonly object[]) => inspect(messages).tokens.total
/**
 * Signed as by Anthropic's models: OpenAI and Gemini may require reasoning without such a signature beside
 * its call.
 */
const reasoning = (i: number) => ({
  type: 'reasoning' as const,
  text: `thought ${i}`,
  providerOptions: { anthropic: { signature: `s${i}` } },
})

const AI_SDK: ModelMessage[] = STEP_LIST.flatMap(({ id: toolCallId, tool: toolName, output }, i) => [
  ...(i % TURN === 0 ? [{ role: 'user' as const, content: `prompt ${i}` }] : []),
  {
    role: 'assistant' as const,
    content: [reasoning(i), { type: 'tool-call' as const, toolCallId, toolName, input: { about: i } }],
  },
  {
    role: 'tool' as const,
    content: [
      {
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: { type: 'text' as const, value: output },
      },
    ],
  },
  ...(i % TURN === TURN - 1 && i < STEPS - 1 ? [{ role: 'assistant' as const, content: 'done' }] : []),
])

const langChain = (): BaseMessage[] =>
  STEP_LIST.flatMap(({ id, tool: name, output }, i) => [
    ...(i % TURN === 0 ? [new HumanMessage(`prompt ${i}`)] : []),
    new AIMessage({ content: '', tool_calls: [{ id, name, args: { about: i } }] }),
    new ToolMessage({ tool_call_id: id, name, content: output }),
    ...(i % TURN === TURN - 1 && i < STEPS - 1 ? [new AIMessage('done')] : []),
  ])

/** The steps whose results are whole in a view. */
const whole = (view: readonly object[]): number[] => {
  const text = view.map((message) => JSON.stringify(message)).join('\n')
  return STEP_LIST.flatMap(({ output }, i) => (text.includes(JSON.stringify(output).slice(1, -1)) ? [i] : []))
}

/** The same for a policy; also checks that the view is valid and has every call. */
function left(history: readonly object[], policy: Policy): number[] {
  const before = JSON.stringify(history)
  const { messages } = project(history, policy)
  expect(JSON.stringify(history)).toBe(before)
  expect(validate(messages)).toEqual([])
  const text = JSON.stringify(messages)
  for (const { id } of STEP_LIST) expect(text).toContain(id)
  return whole(messages)
}

const steps = (...list: number[]) => list
const from = (first: number) => Array.from({ length: STEPS - first }, (_, i) => first + i)
const now = { type: 'tool_uses', value: 1 } as const
const cleared = (settings: Policy['clear'] & object): Policy => ({ clear: { trigger: now, ...settings } })
const newest = (value: number) => ({ keep: { type: 'tool_uses', value } }) as const

describe('a policy compared with pruneMessages of the AI SDK, `toolCalls`', () => {
  test.each([
    ['none', { clear: false }, from(0)],
    ['all', cleared(newest(0)), steps()],
    ['before-last-message', cleared(newest(1)), from(11)],
    ['before-last-2-messages', cleared(newest(1)), from(11)],
    ['before-last-6-messages', cleared(newest(3)), from(9)],
    [
      [{ type: 'all', tools: ['grep'] }],
      cleared({ ...newest(0), includeTools: ['grep'] }),
      steps(0, 1, 3, 4, 6, 7, 9, 10),
    ],
    [
      [
        { type: 'all', tools: ['grep'] },
        { type: 'before-last-4-messages', tools: ['bash'] },
      ],
      cleared({ ...newest(0), includeTools: ['grep', 'bash'] }),
      steps(0, 3, 6, 9, 10),
    ],
  ] as [Parameters<typeof pruneMessages>[0]['toolCalls'], Policy, number[]][])(
    'toolCalls %j leaves the expected results',
    (toolCalls, policy, expected) => {
      const theirs = whole(pruneMessages({ messages: AI_SDK, toolCalls: toolCalls ?? 'none' }))
      expect(theirs).toEqual(expected)
      // A policy cannot keep the newest result of one tool while it clears all of another, so it clears more
      // there.
      const own = left(AI_SDK, policy)
      expect(own).toEqual(
        Array.isArray(toolCalls) && toolCalls.length > 1 ? expected.filter((i) => i !== 10) : expected,
      )
    },
  )
})

describe('a policy compared with pruneMessages of the AI SDK, `reasoning`', () => {
  const thoughts = (view: readonly object[]) =>
    STEP_LIST.flatMap((_, i) => (JSON.stringify(view).includes(`"thought ${i}"`) ? [i] : []))

  test('`all` and `before-last-message` drop all reasoning; `drop` keeps that of the current turn', () => {
    const theirs = (mode: 'all' | 'before-last-message') =>
      thoughts(pruneMessages({ messages: AI_SDK, reasoning: mode }))
    expect(theirs('all')).toEqual([])
    expect(theirs('before-last-message')).toEqual([])
    expect(thoughts(project(AI_SDK, { reasoning: 'drop' }).messages)).toEqual(from(TURN))
  })

  test('`drop` keeps the reasoning of the newest turn, as clear_thinking_20251015 of Anthropic does', () => {
    // { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } }
    expect(thoughts(project(AI_SDK, { reasoning: 'drop' }).messages)).toEqual(from(TURN))
  })

  test('`keep` keeps all reasoning, as `none` does', () => {
    expect(thoughts(project(AI_SDK, { reasoning: 'keep' }).messages)).toEqual(from(0))
  })
})

describe('a policy compared with ClearToolUsesEdit of LangChain', () => {
  type Settings = NonNullable<ConstructorParameters<typeof ClearToolUsesEdit>[0]>
  const countTokens = (messages: BaseMessage[]) => Promise.resolve(tokensOf(messages))
  const theirs = async (settings: Settings) => {
    const messages = langChain()
    await new ClearToolUsesEdit(settings).apply({ messages, countTokens } as never)
    return messages
  }
  const total = tokensOf(langChain())

  test.each<[Settings, Policy, number[]]>([
    [{}, clearOldToolUses(), from(0)],
    [{ trigger: { tokens: 1 }, keep: { messages: 3 } }, cleared(newest(3)), from(9)],
    [{ trigger: { tokens: 1 }, keep: { messages: 0 } }, cleared(newest(0)), steps()],
    [{ trigger: { tokens: 1 }, keep: { messages: 50 } }, cleared(newest(50)), from(0)],
    [
      { trigger: { tokens: total }, keep: { messages: 1 } },
      cleared({ ...newest(1), trigger: { type: 'input_tokens', value: total } }),
      from(11),
    ],
    [
      { trigger: { tokens: total + 1 }, keep: { messages: 1 } },
      cleared({ ...newest(1), trigger: { type: 'input_tokens', value: total + 1 } }),
      from(0),
    ],
    [
      { trigger: { tokens: 1 }, keep: { messages: 2 }, excludeTools: ['grep'] },
      cleared({ ...newest(2), excludeTools: ['grep'] }),
      steps(2, 5, 8, 10, 11),
    ],
    [
      { trigger: { tokens: 1 }, keep: { messages: 1 }, placeholder: '[gone]', clearToolInputs: true },
      cleared({ ...newest(1), placeholder: '[gone]', clearToolInputs: true }),
      from(11),
    ],
  ])('settings %j leave the same results', async (settings, policy, expected) => {
    expect(whole(await theirs(settings))).toEqual(expected)
    expect(left(langChain(), policy)).toEqual(expected)
  })

  test('keep: { tokens } and a budget of the same size keep about as many of the newest results', async () => {
    for (const tokens of [1, 3, 6].map((results) => results * SIZE * 1.3)) {
      const messages = await theirs({ trigger: { tokens: 1 }, keep: { tokens } })
      const maxTokens = tokensOf(messages)
      const own = left(langChain(), { budget: { maxTokens, downTo: maxTokens } })
      expectNewest(own, whole(messages))
    }
  })

  test('trimMessages and a budget of the same size keep about as many of the newest results', async () => {
    for (const maxTokens of [3000, 6000, 9000]) {
      const trimmed = await trimMessages(langChain(), {
        maxTokens,
        strategy: 'last',
        tokenCounter: (messages) => tokensOf(messages),
      })
      const { report, messages } = project(langChain(), { budget: { maxTokens, downTo: maxTokens } })
      expect(report.fits).toBe(true)
      expect(report.tokensAfter).toBeLessThanOrEqual(maxTokens)
      expectNewest(whole(messages), whole(trimmed))
    }
  })
})

/**
 * Checks that each keeps only the newest results, and that their numbers differ by at most one: the policy's
 * stubs say more, and it keeps prompts.
 */
function expectNewest(own: number[], theirs: number[]): void {
  expect(own).toEqual(from(STEPS - own.length))
  expect(theirs).toEqual(from(STEPS - theirs.length))
  expect(Math.abs(own.length - theirs.length)).toBeLessThanOrEqual(1)
}

describe('policies compared with documented algorithms', () => {
  const all = STEP_LIST.map((step, i) => ({
    ...step,
    i,
    tokens: tokensOf([{ role: 'user', content: step.output }]),
  }))

  /**
   * Anthropic's `clear_tool_uses_20250919` above its trigger: clears the oldest uses, except the newest and
   * those of excluded tools.
   */
  function anthropic(edit: { keep?: number; exclude?: string[]; clearAtLeast?: number }): number[] {
    const { keep = 3, exclude = [], clearAtLeast = 0 } = edit
    const goes = all.slice(0, keep === 0 ? undefined : -keep).filter(({ tool }) => !exclude.includes(tool))
    const saved = goes.reduce((sum, { tokens }) => sum + tokens, 0)
    const gone = new Set(saved < clearAtLeast ? [] : goes.map(({ i }) => i))
    return from(0).filter((i) => !gone.has(i))
  }

  test.each<[Parameters<typeof anthropic>[0], Policy]>([
    [{}, cleared({})],
    [{ keep: 0 }, cleared(newest(0))],
    [{ keep: 5, exclude: ['bash'] }, cleared({ ...newest(5), excludeTools: ['bash'] })],
    [{ clearAtLeast: 2000 }, cleared({ clearAtLeast: { type: 'input_tokens', value: 2000 } })],
    [{ clearAtLeast: 100_000 }, cleared({ clearAtLeast: 100_000 })],
  ])('`clear` leaves the same results as clear_tool_uses_20250919 of Anthropic, %j', (edit, policy) => {
    expect(left(AI_SDK, policy)).toEqual(anthropic(edit))
  })

  test('`clear` keeps the newest three results, as Claude Code does', () => {
    const tools = ['read_file', 'bash']
    const gone = new Set(all.filter(({ tool, i }) => tools.includes(tool) && i < STEPS - 3).map(({ i }) => i))
    expect(left(AI_SDK, cleared({ ...newest(3), includeTools: tools, clearAtLeast: 2000 }))).toEqual(
      from(0).filter((i) => !gone.has(i)),
    )
  })

  /**
   * Clears results older than those that fill `protect` tokens, if that saves `least` tokens. opencode's
   * exception for the newest two turns is left out.
   */
  function window(protect: number, least: number): number[] {
    let sum = 0
    const old = [...all].reverse().filter(({ tokens }) => {
      sum += tokens
      return sum > protect
    })
    const saved = old.reduce((total, { tokens }) => total + tokens, 0)
    const gone = new Set(saved < least ? [] : old.map(({ i }) => i))
    return from(0).filter((i) => !gone.has(i))
  }

  test.each([
    ["opencode's pruning", 4 * SIZE, 2 * SIZE],
    ["Gemini CLI's masking of tool outputs", 5 * SIZE, 3 * SIZE],
    ["Mastra's TokenLimiter", 3 * SIZE, 0],
  ])('%s and a budget of the same size keep about as many of the newest results', (_, protect, least) => {
    const theirs = window(protect, least)
    const kept = new Set(theirs)
    const saved = all.filter(({ i }) => !kept.has(i)).reduce((sum, { tokens }) => sum + tokens - STUB, 0)
    const room = tokensOf(AI_SDK) - saved
    const own = left(AI_SDK, { budget: { maxTokens: room, downTo: room }, clearAtLeast: least })
    expectNewest(own, theirs)
  })

  test("`keep` by turns keeps the newest turns, as opencode and OpenAI's cookbook do", () => {
    expect(left(AI_SDK, cleared({ keep: { type: 'turns', value: 1 } }))).toEqual(from(TURN))
    expect(left(AI_SDK, cleared({ keep: { type: 'turns', value: 2 } }))).toEqual(from(0))
  })

  test("`exclude` removes calls and results of a tool, as Mastra's ToolCallFilter does", () => {
    const { messages } = project(AI_SDK, {
      exclude: all.filter(({ tool }) => tool === 'bash').map(({ id }) => id),
    })
    expect(validate(messages)).toEqual([])
    expect(whole(messages)).toEqual(all.filter(({ tool }) => tool !== 'bash').map(({ i }) => i))
    expect(JSON.stringify(messages)).not.toContain('"toolName":"bash"')
  })

  test('`keep` leaves the same results as keeping the newest messages by hand', () => {
    const newestMessages = AI_SDK.slice(-8)
    expect(left(AI_SDK, cleared(newest(4)))).toEqual(whole(newestMessages))
  })
})
