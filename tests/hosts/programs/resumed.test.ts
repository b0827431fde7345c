// Programs that continue a session which writeTranscript wrote.
import { expect, test } from 'vitest'
import { type Account, STEPS } from '../../frameworks/provider.js'
import { writtenSession } from '../written-session.js'
import { NODE_22, program, THREAD, type Workplace, workplace } from './workplace.js'

const TOOLS = {
  read: (path: string) => ({ name: 'Bash', args: { command: `cat ${path}` } }),
  recall: 'recall',
}

function expectContinued({ provider }: Workplace, printed: string): void {
  expect(provider.refused).toEqual([])
  const account = provider.accounts.get(THREAD) as Account
  expect(account.requests).toBe(1)
  const sent = account.sent.join('\n')
  for (let step = 0; step < STEPS; step++) expect(sent).toContain(`src/${step}.ts of ${THREAD}`)
  expect(sent).toContain('and now?')
  expect(printed).toContain(`${THREAD} is done.`)
}

const AGENT = `
import { query } from '@anthropic-ai/claude-agent-sdk'

const [resume, prompt] = process.argv.slice(2)
for await (const message of query({ prompt, options: { resume, model: 'claude-opus-4-8' } }))
  if (message.type === 'result') console.log(JSON.stringify(message))
`

test('the Claude Agent SDK continues a written session', async () => {
  await using place = await workplace(TOOLS)
  place.write('agent.mjs', AGENT)
  place.link('.', ['@anthropic-ai/claude-agent-sdk'])
  const text = writtenSession('claude-code', THREAD, place.folder)
  const { sessionId } = JSON.parse(text.slice(0, text.indexOf('\n')))
  const project = place.folder.replaceAll(/[^A-Za-z0-9]/g, '-')
  place.write(`.home/.claude/projects/${project}/${sessionId}.jsonl`, text)
  const printed = await place.run(NODE_22, ['agent.mjs', sessionId, 'and now?'], {
    ANTHROPIC_BASE_URL: place.provider.origin,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  })
  expectContinued(place, printed)
})

test('pi continues a written session', async () => {
  await using place = await workplace(TOOLS)
  place.write('session.jsonl', writtenSession('pi', THREAD, place.folder))
  const models = [{ id: 'm', contextWindow: 1_000_000, maxTokens: 8000 }]
  const local = { baseUrl: place.provider.origin, api: 'anthropic-messages', apiKey: 'none', models }
  place.write('.home/.pi/agent/models.json', JSON.stringify({ providers: { local } }))
  const cli = program('@earendil-works/pi-coding-agent/dist/bundle/cli.js')
  const model = ['--provider', 'local', '--model', 'm']
  const session = ['--session', place.at('session.jsonl')]
  const printed = await place.run(NODE_22, [cli, '--offline', ...model, ...session, '-p', 'and now?'])
  expectContinued(place, printed)
})
