// The program opencode, with the guide's plugin file.
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { run } from '../../package/consumer.js'
import { packed } from '../packed.js'
import { POLICY, PROMPT, program, workplace } from './workplace.js'

const host = packed()

const PLUGIN = `
import { tool } from '@opencode-ai/plugin'
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/opencode'

export const Trimtab = trimtab(${POLICY}, { tool })
`

const ENV = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }

test.each([
  ['Messages', '@ai-sdk/anthropic'],
  ['Chat Completions', '@ai-sdk/openai-compatible'],
])('opencode sends trimmed results over 60 steps with %s', async (_, npm) => {
  await using place = await workplace({
    read: (filePath) => ({ name: 'read', args: { filePath } }),
    recall: 'recall',
  })
  place.write('.opencode/plugins/trimtab.ts', PLUGIN)
  const versions = ['@opencode-ai/plugin@1.18.33', host.consumer.packed]
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', '.opencode', ...versions], place.folder)
  const config = {
    permission: 'allow',
    model: 'local/m',
    provider: {
      local: {
        npm,
        options: { baseURL: place.provider.address, apiKey: 'none' },
        models: { m: { limit: { context: 1_000_000, output: 8000 } } },
      },
    },
  }
  place.write('opencode.json', JSON.stringify(config))
  const opencode = program('opencode-linux-x64/bin/opencode')
  const events = await place.run(opencode, ['run', '--format', 'json', PROMPT], ENV)
  place.expectTrimmed(10)
  const session = /"sessionID":"(\w+)"/.exec(events)?.[1] ?? ''
  // Its export into a pipe stops after 64 KiB, so it is written to a file.
  await place.run('sh', ['-c', '"$0" export "$1" > session.json', opencode, session], ENV)
  place.expectStored(readFileSync(place.at('session.json'), 'utf8'))
})
