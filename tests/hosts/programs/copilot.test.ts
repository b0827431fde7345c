// The program of the GitHub Copilot SDK, with a custom provider.
import { test } from 'vitest'
import { packed } from '../packed.js'
import { longText, NODE_22, PROMPT, workplace } from './workplace.js'

const host = packed()

const AGENT = `
import { approveAll, CopilotClient } from '@github/copilot-sdk'
import { trimtab } from 'trimtab/copilot'

const [type, baseUrl, prompt] = process.argv.slice(2)
const trim = trimtab({ clip: { max: 4000 } })
const client = new CopilotClient()
const session = await client.createSession({
  model: 'm',
  provider: { type, baseUrl, apiKey: 'none' },
  onPermissionRequest: approveAll,
  hooks: trim.hooks,
  tools: [trim.recall],
})
await session.sendAndWait({ prompt }, 240_000)
await session.disconnect()
await client.stop()
`

test.each([
  ['Chat Completions', 'openai', '/v1'],
  ['Messages', 'anthropic', ''],
])('Copilot SDK sends trimmed results over 60 steps with %s', async (_, type, version) => {
  const read = (path: string) => ({ name: 'bash', args: { command: `cat ${path}`, description: 'Reads.' } })
  await using place = await workplace({ read, recall: 'recall' }, longText)
  place.write('agent.mjs', AGENT)
  place.install(host.consumer.installed, '.', ['@github/copilot-sdk'])
  await place.run(NODE_22, ['agent.mjs', type, `${place.provider.origin}${version}`, PROMPT])
  place.expectTrimmed(2)
})
