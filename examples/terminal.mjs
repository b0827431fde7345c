// An agent in a terminal with the command `/rolling-context`: `node terminal.mjs [folder]`. A scripted model
// reads the folder's files, so no API key is needed; replace it with yours. The command's settings are saved
// in agents.config.json.
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { Context } from 'trimtab'
import { createRollingContextCommand } from 'trimtab/recipes'
import { addToolResults, createTools, openToolCalls, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'

const root = process.argv[2] ?? (await sampleFolder())
const config = join(root, 'agents.config.json')
const saved = async () => JSON.parse(await fs.readFile(config, 'utf8').catch(() => '{}'))

const command = createRollingContextCommand({
  load: async () => (await saved()).contextManagement,
  save: async (contextManagement) => {
    await fs.writeFile(config, `${JSON.stringify({ ...(await saved()), contextManagement }, null, 2)}\n`)
  },
})
const settings = await command.run('status')
let context = new Context(settings.policy)
const tools = createTools(createWorkspace({ fs, root }), {
  context: { answerRecall: (args) => context.answerRecall(args) },
})
let history = [{ role: 'system', content: 'You read files, and answer.' }]

/** Scripted model: reads one file after another, then answers. */
async function model(messages) {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const done = messages.slice(asked).filter(({ role }) => role === 'tool').length
  const names = (await fs.readdir(root)).filter((name) => name.endsWith('.txt')).sort()
  const name = names[done]
  if (name === undefined) return { role: 'assistant', content: `I have read ${done} files.` }
  const read = { name: 'read_file', arguments: JSON.stringify({ file_paths: [name] }) }
  return {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `call_${messages.length}`, type: 'function', function: read }],
  }
}

async function turn(prompt) {
  history.push({ role: 'user', content: prompt })
  for (;;) {
    const { messages, report } = context.project(history)
    say(`  ${gauge(report)}`)
    history.push(await model(messages))
    const calls = openToolCalls(history, { format: 'openai-chat' })
    if (calls.length === 0) break
    const answers = await Promise.all(
      calls.map(async (call) => ({ call, result: await runToolCall(tools, call) })),
    )
    history = addToolResults(history, answers, { format: 'openai-chat' })
    for (const { call, result } of answers) say(`  ${call.name}: ${result.content.split('\n')[0]}`)
  }
  history = context.endTurn(history)
  say(history.at(-1).content)
}

/** Bar that shows how much of the history is sent. */
function gauge({ tokensBefore, tokensAfter, edits }) {
  const filled = Math.round((20 * tokensAfter) / Math.max(1, tokensBefore))
  const count = (number) => number.toLocaleString('en')
  const bar = '#'.repeat(filled).padEnd(20, '.')
  return `[${bar}] ${count(tokensAfter)} of ${count(tokensBefore)} tokens sent, ${edits.length} cleared`
}

/** Prints text wrapped to the width of a terminal. */
const say = (text) => console.log(text.replaceAll(/(?=\S)(.{1,78})(?:\s+|$)/g, '$1\n').trimEnd())

async function sampleFolder() {
  const folder = await fs.mkdtemp(join(tmpdir(), 'trimtab-terminal-'))
  for (let i = 1; i <= 9; i++) {
    const lines = Array.from({ length: 80 }, (_, line) => `Line ${line + 1} of chapter ${i}.`)
    await fs.writeFile(join(folder, `chapter-${i}.txt`), `${lines.join('\n')}\n`)
  }
  return folder
}

say(`Reads the .txt files of ${root}`)
say(settings.message)
say('Type a prompt, /rolling-context [on | off | status | age STEPS], or /quit.')
const lines = createInterface({ input: stdin, output: stdout, prompt: '> ', terminal: stdin.isTTY })
lines.prompt()
for await (const line of lines) {
  const typed = line.trim()
  if (typed === '/quit') break
  if (typed.startsWith('/rolling-context')) {
    const { message, policy } = await command.run(typed)
    context = new Context(policy)
    say(message)
  } else if (typed.startsWith('/')) say('There are /rolling-context and /quit.')
  else if (typed !== '') await turn(typed)
  lines.prompt()
}
lines.close()
