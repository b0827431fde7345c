import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Processor time, in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string; readonly elementCount?: number }
}

/** Starts tracing; the returned function ends the trace and resolves to what was recorded. */
async function trace(page: Page, category: string): Promise<() => Promise<TraceEvent[]>> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]))
  })
  const isOver = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { excludedCategories: ['*'], includedCategories: [category] },
  })
  return async () => {
    await session.send('Tracing.end')
    await isOver
    return events
  }
}

/**
 * Starts tracing the page's tasks. The returned function ends the trace and resolves to the processor time of the
 * longest task, in milliseconds, which a busy machine does not increase.
 */
export async function longestTask(page: Page): Promise<() => Promise<number>> {
  const end = await trace(page, 'toplevel')
  return async () => {
    const events = await end()
    // Threads of workers have other names.
    const named = events.filter(({ args }) => args?.name === 'CrRendererMain')
    const main = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`))
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    expect(tasks.length).toBeGreaterThan(100)
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
  }
}

/**
 * Starts tracing the page's styles. The returned function ends the trace and resolves to the largest number of elements
 * whose style was computed at once.
 */
export async function styledElements(page: Page): Promise<() => Promise<number>> {
  const end = await trace(page, 'devtools.timeline')
  return async () => {
    const styled = (await end()).filter(({ name }) => name === 'UpdateLayoutTree')
    expect(styled.length).toBeGreaterThan(10)
    return Math.max(...styled.map(({ args }) => args?.elementCount ?? 0))
  }
}
