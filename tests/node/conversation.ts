import fc from 'fast-check'

/** A conversation at random, written down in either format, valid for its provider. */
export interface Turn {
  prompt: boolean
  text: string
  reasoning: boolean
  calls: Call[]
}

interface Call {
  tool: string
  path: number
  result: string
  parts: boolean
  ephemeral: boolean
}

export type Message = Record<string, unknown> & { role: string }
export type Format = 'openai-chat' | 'anthropic'

const repeated = fc
  .tuple(fc.nat(3), fc.nat(60))
  .map(([number, lines]) => `line ${number} of a file\n`.repeat(lines))
const anyText = fc.string({ unit: 'binary', maxLength: 300 })
const failure = fc.constant(`Error: ${'no such file '.repeat(30)}`)
const result = fc.oneof({ arbitrary: repeated, weight: 5 }, { arbitrary: anyText, weight: 1 }, failure)

const call: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom('read_file', 'Read', 'edit_file', 'bash', 'grep', 'weird'),
  path: fc.nat(4),
  result,
  parts: fc.boolean(),
  ephemeral: fc.nat(6).map((n) => n === 0),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: fc.nat(5).map((n) => n === 0),
  text: fc.string({ maxLength: 30 }),
  reasoning: fc.nat(4).map((n) => n === 0),
  calls: fc.array(call, { maxLength: 3 }),
})

export const conversation = fc.array(turn, { maxLength: 14 })
export const format = fc.constantFrom<Format>('openai-chat', 'anthropic')

export const policy = fc.record(
  {
    age: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          maxToolOutputAge: fc.nat(8),
          maxToolOutputTokens: fc.nat(60),
          preserveRecentFiles: fc.boolean(),
          summarizeOnTruncate: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
    ephemeral: fc.boolean(),
    dedupe: fc.boolean(),
  },
  { requiredKeys: [] },
)

export function write(turns: readonly Turn[], format: Format): Message[] {
  const messages: Message[] = [{ role: 'user', content: 'start' }]
  turns.forEach((turn, number) => {
    if (turn.prompt) messages.push({ role: 'user', content: `go on ${number}` })
    else messages.push(...(format === 'anthropic' ? writeAnthropic(turn, number) : writeOpenAi(turn, number)))
  })
  return messages
}

const content = ({ parts, result }: Call) =>
  parts && result.trim() !== '' ? [{ type: 'text', text: result }] : result

function writeOpenAi({ text, reasoning, calls }: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const tool_calls = calls.map((call, i) => ({
    id: id(i),
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify({ path: `src/file${call.path}.ts` }) },
  }))
  const answer: Message = { role: 'assistant', content: calls.length > 0 ? text : `${text}.` }
  if (reasoning) answer.reasoning_content = 'let me think'
  if (calls.length > 0) answer.tool_calls = tool_calls
  const results = calls.map((call, i) => ({
    role: 'tool',
    tool_call_id: id(i),
    content: content(call),
    ...(call.ephemeral ? { metadata: { ephemeral: true } } : {}),
  }))
  return [answer, ...results.reverse()]
}

function writeAnthropic({ text, reasoning, calls }: Turn, number: number): Message[] {
  const id = (i: number) => `toolu_${number}_${i}`
  const blocks: object[] = []
  if (reasoning) blocks.push({ type: 'thinking', thinking: 'let me think', signature: 'c2ln' })
  if (calls.length === 0 || text.trim() !== '') blocks.push({ type: 'text', text: `${text}.` })
  calls.forEach((call, i) => {
    blocks.push({ type: 'tool_use', id: id(i), name: call.tool, input: { path: `src/file${call.path}.ts` } })
  })
  const answer = { role: 'assistant', content: blocks }
  if (calls.length === 0) return [answer]
  const results = calls.map((call, i) => ({
    type: 'tool_result',
    tool_use_id: id(i),
    content: content(call),
  }))
  const marked = calls.some((call) => call.ephemeral) ? { metadata: { ephemeral: true } } : {}
  return [answer, { role: 'user', content: results, ...marked }]
}
