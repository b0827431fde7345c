/** Longest delay in a hidden page, in milliseconds. */
const HIDDEN = 1000

/**
 * Runs `work` before the next paint. A hidden page is not painted, and may be ended by the browser: there it runs after
 * a delay.
 */
export function beforePaint(work: () => void): void {
  const run = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    work()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, HIDDEN)
}
