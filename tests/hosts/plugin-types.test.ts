// Type checks of the plugins against the declarations of their hosts.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROJECT, run } from '../package/consumer.js'

const compile = (project: string) =>
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], PROJECT)

test('the plugins fit the types of opencode, Claude Agent SDK, Copilot SDK and Cline', async () => {
  expect(await compile(fileURLToPath(new URL('tsconfig.plugins.json', import.meta.url)))).toBe('')
})
