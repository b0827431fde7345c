// An agent that edits files in a folder: `node agent.mjs [folder]`. A script stands in for the model, so that
// the example runs without a network connection; replace it with yours. The rest is a complete agent. Run
// again on the same folder, it continues the conversation that it saved.
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context, rollingContext } from 'trimtab'
import { compact, createContextMonitor } from 'trimtab/compaction'
import { fileStore, loadSession, saveSession } from 'trimtab/sessions'
import { changelog } from 'trimtab/timeline'
import { AGENT_INSTRUCTIONS, addToolResults, createTools, openToolCalls, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'

const root = process.argv[2] ?? (await fs.mkdtemp(join(tmpdir(), 'trimtab-agent-')))
await fs.mkdir(root, { recursive: true })
const sessions = fileStore({ fs, folder: join(root, '.sessions') })
const saved = (await loadSession(sessions, 'agent'))?.session

const workspace = createWorkspace({ fs, root, reads: saved?.reads })
const context = saved?.context === undefined ? new Context(rollingContext()) : Context.fromJSON(saved.context)
const tools = createTools(workspace, { context, ignore: ['.git', 'node_modules', '.sessions'] })
const monitor = createContextMonitor()

/** Calls of the scripted model, one for each step. */
const script = [
  [
    'write_file',
    { path: 'src/greet.js', content: "export const greet = (name) => 'Hello ' + name\n", intent: 'A start' },
  ],
  [
    'write_file',
    { path: 'workspace.md', content: '# Workspace\n\n## Current State\n\nStatus: Initializing\n' },
  ],
  ['search', { pattern: 'Hello' }],
  [
    'edit_file',
    { path: 'src/greet.js', old_string: 'Hello', new_string: 'Good day', intent: 'Greets politely' },
  ],
  ['edit_file', { path: 'src/greet.js', old_string: 'Hello', new_string: 'Hi' }],
  [
    'update_section',
    { path: 'workspace.md', header: 'Current State', content: 'Status: greeting done', intent: 'Progress' },
  ],
  ['read_file', { file_paths: ['src/greet.js', 'workspace.md'] }],
]
let step = 0
async function model(messages, _tools) {
  const next = script[step++]
  if (next === undefined) return { role: 'assistant', content: 'The greeting is polite now.' }
  const [name, args] = next
  const call = {
    id: `call_${messages.length}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }
  return { role: 'assistant', content: '', tool_calls: [call] }
}

let history = [
  ...(saved?.history ?? [{ role: 'system', content: AGENT_INSTRUCTIONS }]),
  { role: 'user', content: 'Make the greeting polite.' },
]
for (;;) {
  const size = monitor.check(context.project(history).report.tokensAfter)
  if (size.warning !== null) history.push({ role: 'user', content: size.warning })
  if (size.compact) history = (await compact(history)).messages // better: { summarize } with a model
  history.push(await model(context.project(history).messages, tools))
  const calls = openToolCalls(history, { format: 'openai-chat' })
  if (calls.length === 0) break
  const answers = await Promise.all(
    calls.map(async (call) => ({ call, result: await runToolCall(tools, call) })),
  )
  for (const { call, result } of answers) console.log(`${call.name}: ${result.content.split('\n')[0]}`)
  history = addToolResults(history, answers, { format: 'openai-chat' })
}
history = context.endTurn(history)
const reads = workspace.reads.toJSON()
await saveSession(sessions, 'agent', { history, format: 'openai-chat', context: context.toJSON(), reads })
console.log(`\n${history.at(-1).content}\n${changelog(history)}`)
