const messages = JSON.stringify([
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'done' },
])
const call = JSON.stringify({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
})

/** A use of each entry point that needs a wasm file, and its result. */
export const USES: [entry: string, imported: string, use: string, outcome: unknown][] = [
  ['.', 'project', `project(${messages}, {}).report.steps`, 1],
  ['./money', 'simulate', `simulate(${messages}, { off: {} }).requests`, 1],
  ['./tokens', 'estimateMessages', `estimateMessages(${messages}).length`, 2],
  ['.', 'validate', `validate(${messages})`, []],
  ['./recipes', 'clearToolUses', `clearToolUses(${messages}).length`, 2],
  ['./files', 'formatRead', `formatRead({ path: 'a', content: 'x' }).totalLines`, 1],
  ['./formats', 'convertMessages', `convertMessages(${messages}, 'gemini').messages.length`, 2],
  ['./timeline', 'fileEdits', `fileEdits(${messages})`, []],
  ['./compaction', 'shouldCompact', `shouldCompact(${messages}, { threshold: 1 })`, true],
  ['./tools', 'openToolCalls', `openToolCalls([${call}]).length`, 1],
  ['./index', 'createIndex', `createIndex().query('x')`, []],
]
