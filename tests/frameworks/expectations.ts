import { clearOldToolUses, type Policy } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { PRICES, simulate } from 'trimtab/money'
import { expect } from 'vitest'
import { AnthropicProvider, BOUND } from './anthropic-provider.js'
import {
  type Account,
  type ChatMessage,
  fileText,
  Provider,
  RECALL_STEP,
  STEPS,
  TOOLS,
  type Tools,
} from './provider.js'

/** Policy that clears more than once in 60 steps. */
export const POLICY: Policy = {
  ...clearOldToolUses({
    trigger: { type: 'input_tokens', value: 30_000 },
    keep: { type: 'tool_uses', value: 6 },
    clearAtLeast: { type: 'input_tokens', value: 8000 },
  }),
  recall: true,
}

/**
 * Checks a thread after its turn: the application holds all original results, the recalled result is exact,
 * and the cost is what `simulate` computes for the history with the same policy.
 */
export function expectTurn(
  history: readonly object[],
  thread: string,
  provider: Provider,
  system?: string,
): void {
  const account = provider.accounts.get(thread) as Account
  expect(account.requests).toBe(STEPS + 1)
  const chat = convertMessages(history, 'openai-chat').messages
  const results = (chat as ChatMessage[]).filter(({ role }) => role === 'tool')
  expect(results.length).toBeGreaterThan(STEPS)
  const isWhole = (text: string) => fileText(thread, /^(\S+) of/.exec(text)?.[1] ?? '') === text
  expect(results.filter(({ content }) => !isWhole(String(content)))).toEqual([])
  expect(account.sent.filter((text) => /recall [0-9a-f]{8}/.test(text)).length).toBeGreaterThan(20)
  const first = ({ content }: ChatMessage) => results.findIndex((other) => other.content === content)
  const recalled = results.find((result, i) => first(result) < i)?.content ?? ''
  expect(Number(/\d+/.exec(recalled)?.[0])).toBeLessThanOrEqual(RECALL_STEP - 30)
  const sent = convertMessages(history, account.format).messages
  const options = { prices: PRICES.anthropic, bounds: false, ...(system === undefined ? {} : { system }) }
  const { policies, baseCost } = simulate(sent, { ours: POLICY }, options)
  const expected = policies[0]?.cost as number
  expect(expected).toBeLessThan(0.9 * baseCost)
  expect(Math.abs(account.cost / expected - 1)).toBeLessThan(0.03)
}

/** A turn of a framework's agent in one thread. */
export interface Turn<Trim> {
  provider: Provider
  thread: string
  trim: Trim
}

/** The options of an adapter that are used here. */
interface Options {
  onWarning(warning: { message: string }): void
}

/** Checks that an aborted stream leaves the conversation as it was: the same adapter plays the turn again. */
export async function expectTurnAfterAbort<Trim extends Disposable>(
  trimtab: (policy: Policy, options: Options) => Trim,
  abort: (turn: Turn<Trim>, controller: AbortController) => Promise<unknown>,
  play: (turn: Turn<Trim>) => Promise<readonly object[]>,
  system?: string,
  tools: Tools = TOOLS,
): Promise<void> {
  await using provider = await new Provider(tools).start()
  const warnings: string[] = []
  using trim = trimtab(POLICY, { onWarning: ({ message }) => warnings.push(message) })
  const turn = { provider, thread: 'thread-one', trim }
  provider.hangs = 1
  const controller = new AbortController()
  await abort(turn, controller).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error
  })
  expect(controller.signal.aborted).toBe(true)
  expectTurn(await play(turn), turn.thread, provider, system)
  expect(provider.refused).toEqual([])
  expect(warnings).toEqual([])
}

interface TurnOptions {
  system?: string
  /** The tools that the model calls. */
  tools?: Tools
  threads?: readonly string[]
  /** HTTP statuses of the first responses, after which the framework retries. */
  failures?: readonly number[]
  /** The name under which the application offers the tool `recall`. */
  recall?: string
}

/**
 * Plays the turns of several threads at the same time over one adapter; `play` returns the history that the
 * application holds after its turn.
 */
export async function expectTurns<Trim extends Disposable>(
  trimtab: (policy: Policy, options: Options) => Trim,
  play: (turn: Turn<Trim>) => Promise<readonly object[]>,
  {
    system,
    threads = ['thread-one', 'thread-two'],
    failures = [500, 503],
    tools = TOOLS,
    recall,
  }: TurnOptions = {},
): Promise<void> {
  await using provider = await new Provider(recall === undefined ? tools : { ...tools, recall }).start()
  provider.failures.push(...failures)
  const warnings: string[] = []
  using trim = trimtab(POLICY, { onWarning: ({ message }) => warnings.push(message) })
  const histories = await Promise.all(threads.map((thread) => play({ provider, thread, trim })))
  expect(provider.refused).toEqual([])
  expect(warnings).toEqual([])
  for (const [i, thread] of threads.entries())
    expectTurn(histories[i] as readonly object[], thread, provider, system)
}

/** Plays a thread to its end against a provider that binds thinking to everything sent before it. */
type BoundPlay = (thread: string) => Promise<unknown>
/** Makes an adapter or a client for the provider at an address. */
export type BoundWay = (address: string, policy: Policy) => BoundPlay

/** The prompt of a thread whose model runs builds. */
export const buildPrompt = (thread: string): string => `${thread}: mend the build`

/** The output of the tool `bash` in these threads. */
export const bashOutput = (args: unknown): string =>
  `${(args as { command: string }).command}: warning: unused variable\n`.repeat(200)

/** Plays threads at the same time. Nothing may be refused. Returns the messages of each request, as JSON. */
export async function boundRequests(way: BoundWay, threads: readonly string[]): Promise<string[]> {
  await using provider = await new AnthropicProvider(STEPS).start()
  await Promise.all(threads.map(way(provider.address, POLICY)))
  expect(provider.refused).toEqual([])
  return provider.requests.map((messages) => JSON.stringify(messages))
}

/** Checks that old results are cleared, and that thinking is still sent. */
export function expectClearedWithThinking(requests: readonly string[]): void {
  // The full history has 75 results of 10,000 characters.
  expect(requests.at(-1)?.length).toBeLessThan(350_000)
  expect(requests.filter((text) => text.includes('"signature"')).length).toBeGreaterThan(STEPS / 2)
}

/** Checks threads of 60 steps: nothing is refused, results are cleared, and thinking is sent. */
export async function expectBoundThreads(
  way: BoundWay,
  threads: readonly string[] = ['thread-one', 'thread-two'],
): Promise<void> {
  const requests = await boundRequests(way, threads)
  for (const thread of threads) {
    const own = requests.filter((text) => text.includes(buildPrompt(thread)))
    expect(own).toHaveLength(STEPS + 1)
    expectClearedWithThinking(own)
  }
}

/** Checks that the provider refuses a request of the same thread when the policy ignores the binding. */
export async function expectFreeRefused(way: BoundWay): Promise<void> {
  await using provider = await new AnthropicProvider(STEPS).start()
  await way(provider.address, { ...POLICY, binding: 'free' })('thread-one').catch(() => {})
  expect(provider.refused[0]).toContain(BOUND)
}
