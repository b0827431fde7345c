// Code that a new user writes for Claude from the README and the first guide of the packed package, against a
// provider that binds thinking to everything sent before it and refuses invalid requests.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnthropicProvider, BOUND } from '../frameworks/anthropic-provider.js'
import { type Consumer, makeConsumer } from './consumer.js'

const STEPS = 60
const MODEL = 'claude-opus-5-5'

let consumer: Consumer
beforeAll(async () => {
  consumer = await makeConsumer()
})
afterAll(() => consumer.remove())

/** Code blocks of a document of the package in one language. */
function codeOf(document: string, language: string): string[] {
  const text = readFileSync(join(consumer.installed, document), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, code]) =>
    of === language ? [code as string] : [],
  )
}

/** Replaces a part, and checks that it is there. */
function replaced(code: string, part: string | RegExp, by: string): string {
  const made = code.replace(part, () => by)
  expect(made).not.toBe(code)
  return made
}

/** A minimal client of the provider, and a tool. */
const SEND = (address: string) => `
async function send(messages) {
  const body = { model: '${MODEL}', max_tokens: 4096, thinking: { type: 'adaptive' },
    system: 'You mend builds.', tools: [{ name: 'bash', input_schema: { type: 'object' } }], messages }
  const response = await fetch('${address}/v1/messages', { method: 'POST', body: JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}
const bash = async ({ command }) => \`\${command}: warning: unused variable\\n\`.repeat(200)
`

/** Replaces the example's scripted model: the provider's answer, and the results of its calls. */
const EXCHANGE = `
  const { content } = await send(messages)
  history.push({ role: 'assistant', content })
  const calls = content.filter(({ type }) => type === 'tool_use')
  if (calls.length === 0) break
  const results = await Promise.all(calls.map(async ({ id, input }) =>
    ({ type: 'tool_result', tool_use_id: id, content: await bash(input) })))
  history.push({ role: 'user', content: results })
}
`

/** The README's example with Claude in place of its scripted model. */
function readmeLoop(address: string): string {
  const code = codeOf('README.md', 'js')[0] as string
  const endless = replaced(code, 'step < 12', 'step < 100')
  return SEND(address) + replaced(endless, /\n {2}const run = [\s\S]*$/, EXCHANGE)
}

async function run(name: string, code: string): Promise<string> {
  writeFileSync(join(consumer.folder, name), code)
  return consumer.node(name)
}

const lengths = (provider: AnthropicProvider) =>
  provider.requests.map((messages) => JSON.stringify(messages).length)

describe('the example of the README', () => {
  test('with its model named: nothing is refused, and results are cleared', async () => {
    await using provider = await new AnthropicProvider(STEPS).start()
    const named = `{ model: '${MODEL}' }`
    expect(readFileSync(join(consumer.installed, 'README.md'), 'utf8')).toContain(named)
    await run(
      'named.mjs',
      replaced(readmeLoop(provider.address), 'rollingContext())', `rollingContext(), ${named})`),
    )
    expect(provider.refused).toEqual([])
    expect(provider.requests).toHaveLength(STEPS + 1)
    // Views stay small, while the history grows to ten times their size.
    expect(lengths(provider).at(-1)).toBeLessThan(150_000)
  })

  test('without a named model: nothing is refused', async () => {
    await using provider = await new AnthropicProvider(STEPS).start()
    await run('unnamed.mjs', readmeLoop(provider.address))
    expect(provider.refused).toEqual([])
    expect(provider.requests).toHaveLength(STEPS + 1)
  })

  test('with the name of another model: the provider refuses a request', async () => {
    await using provider = await new AnthropicProvider(STEPS).start()
    const code = replaced(
      readmeLoop(provider.address),
      'rollingContext())',
      "rollingContext(), { model: 'gpt-6' })",
    )
    await expect(run('wrong.mjs', code)).rejects.toThrow(BOUND)
    expect(provider.refused[0]).toMatch(
      /^messages\.\d+\.content\.0: The block is bound to a different conversation$/,
    )
  })
})

test('the loop for Claude of the first guide runs three turns without a refused request', async () => {
  await using provider = await new AnthropicProvider(STEPS).start()
  const code = codeOf('docs/start/first-agent.md', 'js')[0] as string
  const own = replaced(code, /\/\/ A model in place of yours[\s\S]*$/, SEND(provider.address))
  const turns = `
const context = new Context(cacheAware({ model: '${MODEL}' }), { model: '${MODEL}' })
let history = []
for (const text of ['Mend the build.', 'And the tests?', 'Thanks. Sum up.'])
  history = await runTurn(context, [...history, { role: 'user', content: text }], send, bash)
console.log(history.length)
`
  const printed = await run('guide.mjs', own + turns)
  expect(Number(printed)).toBeGreaterThan(2 * STEPS)
  expect(provider.refused).toEqual([])
  expect(provider.requests).toHaveLength(STEPS + 3)
})
