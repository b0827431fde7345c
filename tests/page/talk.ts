import type { Page } from 'playwright-core'

/** Waits until the agent is idle. */
export const isIdle = (page: Page, timeout = 30_000) =>
  page.waitForFunction(
    () => document.querySelector('.rows') !== null && document.querySelector('.working') === null,
    null,
    { timeout },
  )

/** Waits until the chat, with all its changes, is stored. */
export const isStored = (page: Page, timeout = 30_000) =>
  page.waitForFunction(
    () => location.hash.includes('chat=') && !document.documentElement.hasAttribute('data-unsaved'),
    null,
    { timeout },
  )

export const PROVIDERS = ['OpenAI-compatible', 'Anthropic', 'Gemini'] as const
export type Provider = (typeof PROVIDERS)[number]

interface ChosenModel {
  provider?: Provider
  key?: string
  /** Whether the browser keeps the key. */
  keep?: boolean
  /** Its context window in tokens. */
  window?: number
}

/** Chooses the model `small-1` of a provider at an origin. */
export async function chooseModel(
  page: Page,
  origin: string,
  { provider = 'OpenAI-compatible', key, keep = false, window }: ChosenModel = {},
): Promise<void> {
  await page.click('.model-button')
  await page.getByRole('button', { name: provider, exact: true }).click()
  await page.fill('[name="address"]', `${origin}/v1`)
  await page.fill('[name="model"]', 'small-1')
  if (key !== undefined) await page.fill('[name="key"]', key)
  if (window !== undefined) await page.fill('[name="window"]', String(window))
  if (keep) await page.check('[name="keep"]')
  await page.click('text=Use this model')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

/**
 * Watches for the start of the agent's work, however short it is; the returned function waits for it. Rows do not tell:
 * a long thread has only those near the visible part.
 */
async function watchStart(page: Page): Promise<() => Promise<void>> {
  const watch = await page.evaluateHandle(() => {
    const started = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('.working') === null) return
        observer.disconnect()
        resolve()
      })
      observer.observe(document.body, { subtree: true, childList: true })
    })
    return { started }
  })
  return () => watch.evaluate(({ started }) => started)
}

/** Does what has the agent work, and waits until it is done. */
export async function untilDone(page: Page, act: () => Promise<void>, timeout = 30_000): Promise<void> {
  const hasStarted = await watchStart(page)
  await act()
  await hasStarted()
  await isIdle(page, timeout)
}

/** Sends a message to the agent, and waits until it is done. */
export const say = (page: Page, text: string, timeout?: number) =>
  untilDone(
    page,
    async () => {
      await page.fill('#composer', text)
      await page.press('#composer', 'Enter')
    },
    timeout,
  )
