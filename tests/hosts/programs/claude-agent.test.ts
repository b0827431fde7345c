// The program of the Claude Agent SDK, with the guide's hooks and tool.
import { test } from 'vitest'
import { packed } from '../packed.js'
import { longText, NODE_22, PROMPT, workplace } from './workplace.js'

const host = packed()

const AGENT = `
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { trimtab } from 'trimtab/claude-agent'
import { z } from 'zod'

const trim = trimtab({ clip: { max: 4000 }, dedupe: true }, { z })
const options = {
  model: 'claude-opus-4-8',
  hooks: trim.hooks,
  mcpServers: { trimtab: createSdkMcpServer({ name: 'trimtab', tools: [tool(...trim.recall)] }) },
  allowedTools: ['Bash', 'mcp__trimtab__recall'],
}
for await (const message of query({ prompt: process.argv[2], options }))
  if (message.type === 'result' && message.subtype !== 'success') throw new Error(JSON.stringify(message))
`

test('Claude Agent SDK sends trimmed results over 60 steps', async () => {
  const read = (path: string) => ({ name: 'Bash', args: { command: `cat ${path}`, description: 'Reads.' } })
  await using place = await workplace({ read, recall: 'mcp__trimtab__recall' }, longText)
  place.write('agent.mjs', AGENT)
  place.install(host.consumer.installed, '.', ['@anthropic-ai/claude-agent-sdk', 'zod'])
  await place.run(NODE_22, ['agent.mjs', PROMPT], {
    ANTHROPIC_BASE_URL: place.provider.origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  })
  place.expectTrimmed(2)
})
