/** Progress bar on stderr for work of more than a second. Prints nothing if stderr is not a terminal. */
export class Progress {
  readonly #stream: { isTTY?: boolean; write(text: string): unknown }
  readonly #now: () => number
  readonly #since: number
  #lastDraw = 0
  #label = ''
  #drawn = false

  constructor(
    stream: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
    now: () => number = () => performance.now(),
  ) {
    this.#stream = stream
    this.#now = now
    this.#since = now()
  }

  update(label: string, done: number, total: number): void {
    if (this.#stream.isTTY !== true) return
    const now = this.#now()
    if (now - this.#since < SILENT_MS) return
    if (label === this.#label && now - this.#lastDraw < REDRAW_MS) return
    this.#label = label
    this.#lastDraw = now
    this.#drawn = true
    const share = total > 0 ? Math.min(1, done / total) : 0
    const filled = Math.round(share * BAR_COLUMNS)
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled)
    this.#stream.write(`\r\u001b[2K${label} ${bar} ${Math.round(100 * share)} %`)
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K')
    this.#drawn = false
  }
}

/** Runs `work` with a progress bar, and clears it at the end. */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress()
  try {
    return await work(progress)
  } finally {
    progress.clear()
  }
}

const SILENT_MS = 1000
const REDRAW_MS = 80
const BAR_COLUMNS = 30
