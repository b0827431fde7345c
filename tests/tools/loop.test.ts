import { cleanupEphemeralMessages, type Format, validate } from 'trimtab'
import { compact } from 'trimtab/compaction'
import { loadSession, memoryStore, saveSession } from 'trimtab/sessions'
import { addToolResults, createTools, openToolCalls, runToolCall, withoutMetadata } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { problems } from '../node/oracle.js'
import { FORMATS } from '../node/write.js'

type Message = Record<string, unknown>
interface Planned {
  name: string
  args: object
}

/** An answer with text and calls in each format. */
function answer(format: Format, text: string, calls: Planned[], step: number): Message[] {
  const id = (i: number) => `call_${step}_${i}`
  const json = ({ args }: Planned) => JSON.stringify(args)
  switch (format) {
    case 'openai-chat': {
      const tool_calls = calls.map((call, i) => ({
        id: id(i),
        type: 'function',
        function: { name: call.name, arguments: json(call) },
      }))
      return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) }]
    }
    case 'openai-responses':
      return [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
        ...calls.map((call, i) => ({
          type: 'function_call',
          call_id: id(i),
          name: call.name,
          arguments: json(call),
        })),
      ]
    case 'anthropic':
      return [
        {
          role: 'assistant',
          content: [
            { type: 'text', text },
            ...calls.map(({ args, name }, i) => ({ type: 'tool_use', id: id(i), name, input: args })),
          ],
        },
      ]
    case 'ai-sdk':
      return [
        {
          role: 'assistant',
          content: [
            { type: 'text', text },
            ...calls.map(({ args, name }, i) => ({
              type: 'tool-call',
              toolCallId: id(i),
              toolName: name,
              input: args,
            })),
          ],
        },
      ]
    case 'ai-sdk-ui':
      return [
        {
          id: `m${step}`,
          role: 'assistant',
          parts: [
            { type: 'text', text },
            ...calls.map(({ args, name }, i) => ({
              type: `tool-${name}`,
              toolCallId: id(i),
              state: 'input-available',
              input: args,
            })),
          ],
        },
      ]
    case 'gemini':
      return [
        {
          role: 'model',
          parts: [{ text }, ...calls.map(({ args, name }) => ({ functionCall: { name, args } }))],
        },
      ]
    case 'langchain':
      return [
        {
          type: 'ai',
          content: text,
          tool_calls: calls.map(({ args, name }, i) => ({ id: id(i), name, args })),
        },
      ]
  }
}

function prompt(format: Format, text: string): Message {
  if (format === 'ai-sdk-ui') return { id: 'u', role: 'user', parts: [{ type: 'text', text }] }
  if (format === 'gemini') return { role: 'user', parts: [{ text }] }
  return format === 'langchain' ? { type: 'human', content: text } : { role: 'user', content: text }
}

const SECRET = 'the ephemeral line'
const PLAN: [string, Planned[]][] = [
  ['I look at the log.', [{ name: 'read_file', args: { file_paths: ['large.log'], ephemeral: true } }]],
  [
    'Now the settings.',
    [
      { name: 'read_file', args: { file_paths: ['settings.ini'] } },
      { name: 'read_file', args: { file_paths: ['no.ini'] } },
    ],
  ],
  [
    'I change it.',
    [
      {
        name: 'edit_file',
        args: {
          path: 'settings.ini',
          old_string: 'level=1',
          new_string: 'level=2',
          intent: 'More detail in the log',
        },
      },
    ],
  ],
  ['Done: the level is 2.', []],
]

/** Plays one turn of an agent whose model follows the plan. */
async function turn(
  format: Format,
  history: readonly Message[],
  tools: ReturnType<typeof createTools>,
  first = 0,
) {
  const seen: string[] = []
  let now = [...history]
  for (const [step, [text, calls]] of PLAN.entries()) {
    seen.push(JSON.stringify(now))
    expect(problems(withoutMetadata(now, { format }), format)).toEqual([])
    now.push(...answer(format, text, calls, first + step))
    const open = openToolCalls(now, { format })
    expect(open.map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
    const answers = await Promise.all(
      open.map(async (call) => ({ call, result: await runToolCall(tools, call) })),
    )
    now = addToolResults(now, answers, { format })
  }
  return { history: now, seen }
}

describe.each(FORMATS.map((format) => [format] as const))('agent loop in %s', (format) => {
  const setUp = () => {
    const workspace = createWorkspace({
      memory: { 'large.log': `${SECRET}\n`.repeat(3000), 'settings.ini': '[log]\nlevel=1\n' },
    })
    return { workspace, tools: createTools(workspace) }
  }

  test('an ephemeral read reaches the model, but no compaction and no saved session', async () => {
    const { tools, workspace } = setUp()
    const { history, seen } = await turn(format, [prompt(format, 'Raise the level')], tools)
    // During the turn, the model sees it.
    expect(seen[1]).toContain(SECRET)
    expect(seen[3]).toContain(SECRET)
    expect(new TextDecoder().decode((await workspace.readFile('settings.ini')).bytes)).toBe(
      '[log]\nlevel=2\n',
    )
    expect(JSON.stringify(history)).toContain('EPHEMERAL READ')

    // Compaction during the turn: neither the summarizing model nor the new history sees it.
    let asked = ''
    const compaction = await compact(history, {
      format,
      threshold: 0,
      keepRecentMessages: format === 'ai-sdk-ui' ? 1 : 3,
      summarize: async (text) => {
        asked = text
        return '## 1. Task Overview\nRaise the level'
      },
    })
    expect(asked + JSON.stringify(compaction.messages)).not.toContain(SECRET)
    expect(problems(withoutMetadata(compaction.messages, { format }), format)).toEqual([])
    expect(compaction.history).toBe(history)

    // Saved without a cleanup before: the store removes it.
    const store = memoryStore()
    await saveSession(store, 's', { history, format, reads: workspace.reads.toJSON() })
    expect(JSON.stringify(await store.read('s'))).not.toContain(SECRET)

    // The turn is over.
    const kept = cleanupEphemeralMessages(history, { format })
    expect(JSON.stringify(kept)).not.toContain(SECRET)
    expect(validate(kept, { format })).toEqual([])
    expect(problems(withoutMetadata(kept, { format }), format)).toEqual([])
    const loaded = await loadSession<Message>(store, 's')
    expect(loaded?.session.history).toEqual(JSON.parse(JSON.stringify(kept)))

    // The next turn begins with a compacted, loaded history.
    const next = [...(loaded?.session.history ?? []), prompt(format, 'Again')]
    const smaller = await compact(next, { format, threshold: 0, keepRecentMessages: 1 })
    const second = await turn(format, smaller.messages, setUp().tools, PLAN.length)
    expect(second.seen[0]).not.toContain(SECRET)
    expect(second.seen[1]).toContain(SECRET)
  })

  test('results have ids and error marks', async () => {
    const { history } = await turn(format, [prompt(format, 'Raise the level')], setUp().tools)
    expect(validate(history, { format })).toEqual([])
    const text = JSON.stringify(history)
    expect(text).toContain('Error: Failed to read 1 file: no.ini')
    const mark = {
      anthropic: '"is_error":true',
      'ai-sdk': '"error-text"',
      'ai-sdk-ui': '"output-error"',
      gemini: '{"error":"Error:',
      langchain: '"status":"error"',
    }
    if (format in mark) expect(text).toContain(mark[format as keyof typeof mark])
  })

  test('addToolResults never changes the history', async () => {
    const history = Object.freeze([
      Object.freeze(prompt(format, 'x')),
      ...answer(format, 'y', PLAN[0]?.[1] ?? [], 1),
    ])
    history.forEach(Object.freeze)
    const [call] = openToolCalls(history, { format })
    const after = addToolResults(
      history,
      [{ call: call as never, result: { content: 'z', isError: false, ephemeral: false } }],
      { format },
    )
    expect(openToolCalls(after, { format })).toEqual([])
    expect(openToolCalls(history, { format })).toHaveLength(1)
  })
})
