import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Processor time, in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Starts tracing the page's tasks. The returned function ends the trace and resolves to the processor time of the
 * longest task, in milliseconds, which a busy machine does not increase.
 */
export async function longestTask(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]))
  })
  const isOver = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  const includedCategories = ['toplevel']
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { excludedCategories: ['*'], includedCategories },
  })
  return async () => {
    await session.send('Tracing.end')
    await isOver
    // Threads of workers have other names.
    const named = events.filter(({ args }) => args?.name === 'CrRendererMain')
    const main = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`))
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    expect(tasks.length).toBeGreaterThan(100)
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
  }
}
