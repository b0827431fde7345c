// Agents of Cline's SDK, with the guide's plugin.
import { test } from 'vitest'
import { packed } from '../packed.js'
import { NODE_22, POLICY, PROMPT, workplace } from './workplace.js'

const host = packed()

const AGENT = `
import { readFileSync } from 'node:fs'
import { Agent } from '@cline/agents'
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/cline'

const [providerId, baseUrl, prompt] = process.argv.slice(2)
const agent = new Agent({
  providerId,
  modelId: 'm',
  apiKey: 'none',
  baseUrl,
  systemPrompt: 'You read files.',
  tools: [
    {
      name: 'read_file',
      description: 'Reads.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      execute: ({ path }) => Promise.resolve(readFileSync(path, 'utf8')),
    },
  ],
  plugins: [trimtab(${POLICY})],
})
const result = await agent.run(prompt)
console.log(JSON.stringify(result.messages))
`

test.each([
  ['Messages', 'anthropic'],
  ['Chat Completions', 'openai-compatible'],
])('Cline’s SDK sends trimmed results over 60 steps with %s', async (_, providerId) => {
  await using place = await workplace({
    read: (path) => ({ name: 'read_file', args: { path } }),
    recall: 'recall',
  })
  place.write('agent.mjs', AGENT)
  place.install(host.consumer.installed, '.', ['@cline/agents', '@cline/shared'])
  const session = await place.run(NODE_22, ['agent.mjs', providerId, place.provider.address, PROMPT])
  place.expectTrimmed(10)
  place.expectStored(session)
})
