// The program pi, with the guide's extension file.
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { packed } from '../packed.js'
import { NODE_22, POLICY, PROMPT, program, workplace } from './workplace.js'

const host = packed()

const EXTENSION = `
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/pi'

export default trimtab(${POLICY})
`

test.each([
  ['Messages', 'anthropic-messages', ''],
  ['Chat Completions', 'openai-completions', '/v1'],
  ['Responses', 'openai-responses', '/v1'],
])('pi sends trimmed results over 60 steps with %s', async (_, api, version) => {
  await using place = await workplace({
    read: (path) => ({ name: 'read', args: { path } }),
    recall: 'recall',
  })
  place.write('.pi/extensions/trimtab.ts', EXTENSION)
  place.install(host.consumer.installed, '.pi/extensions', [])
  const models = [{ id: 'm', contextWindow: 1_000_000, maxTokens: 8000 }]
  const local = { baseUrl: `${place.provider.origin}${version}`, api, apiKey: 'none', models }
  place.write('.home/.pi/agent/models.json', JSON.stringify({ providers: { local } }))
  const cli = program('@earendil-works/pi-coding-agent/dist/bundle/cli.js')
  const options = [
    '--offline',
    '--approve',
    '--session-dir',
    'sessions',
    '--provider',
    'local',
    '--model',
    'm',
  ]
  await place.run(NODE_22, [cli, ...options, '-p', PROMPT])
  place.expectTrimmed(10)
  const [file = ''] = readdirSync(place.at('sessions'))
  place.expectStored(readFileSync(place.at(`sessions/${file}`), 'utf8'))
})
