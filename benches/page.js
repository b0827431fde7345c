// The built page with 10,000 messages of 40 MB in headless Chromium: time to open, blocking of the page, frames while
// scrolling and typing, response time of the slider, and bytes needed for the first view.
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { preview } from 'vite'
import { longSession } from './long-session.js'

const ROOT = new URL('../www/', import.meta.url).pathname
const [STEPS, LINES] = [3333, 260]

const server = await preview({ root: ROOT, logLevel: 'error', preview: { port: 0, strictPort: false } })
const address = server.resolvedUrls.local[0]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? process.env.CHROME ?? '/usr/bin/chromium',
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})

/** Runs in the page: creates the session there, so that it need not be transferred. */
function prepare([steps, lines]) {
  const tasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(Math.round(duration))
  }).observe({ entryTypes: ['longtask'] })
  const messages = globalThis.longSession(steps, lines)
  const data = new DataTransfer()
  const file = new File([JSON.stringify(messages)], 'big.json')
  data.items.add(file)
  Object.assign(globalThis, { bench: { tasks, data } })
  return { messages: messages.length, bytes: file.size }
}

/** Long tasks since the last call. */
const longTasks = (page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return globalThis.bench.tasks.splice(0)
  })

/** Runs a function in the page at each frame for a number of milliseconds, and returns the times of the frames. */
const frames = (page, milliseconds, each) =>
  page.evaluate(
    async ([length, source]) => {
      const act = new Function('at', source)
      const times = []
      const start = performance.now()
      for (let last = start; last - start < length; ) {
        const now = await new Promise(requestAnimationFrame)
        act(times.length)
        times.push(now - last)
        last = now
      }
      return times.slice(2)
    },
    [milliseconds, each],
  )

const sorted = (list) => [...list].sort((a, b) => a - b)
const at = (list, share) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0
const told = (list) => (list.length === 0 ? 'none' : `${list.length}, longest ${Math.max(...list)} ms`)
const rate = (times) =>
  `${(1000 / (times.reduce((sum, time) => sum + time, 0) / times.length)).toFixed(0)} a second, 95 % within ${at(times, 0.95).toFixed(0)} ms`
const print = (name, value) => console.log(`  ${name.padEnd(44)} ${value}`)

async function firstLoad() {
  const page = await browser.newPage()
  const sizes = []
  page.on('response', (response) =>
    sizes.push(response.body().then((body) => brotliCompressSync(body).length)),
  )
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForSelector('#composer')
  const bytes = (await Promise.all([...sizes])).reduce((sum, size) => sum + size, 0)
  await page.close()
  return bytes
}

async function measure() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(address)
  await page.waitForSelector('#composer')
  await page.evaluate(`globalThis.longSession = ${longSession}`)
  const { messages, bytes } = await page.evaluate(prepare, [STEPS, LINES])
  console.log(`\n${messages} messages, ${(bytes / 1e6).toFixed(0)} MB\n`)
  await longTasks(page)
  const opened = await page.evaluate(async () => {
    const start = performance.now()
    const { data } = globalThis.bench
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
    while (document.querySelector('.transport') === null) await new Promise(requestAnimationFrame)
    return performance.now() - start
  })
  print('opened', `${(opened / 1000).toFixed(1)} s`)
  print('tasks over 50 ms while it opens', told(await longTasks(page)))
  await page.waitForTimeout(3000)
  print('while requests are worked out, 3 s', told(await longTasks(page)))
  const start = Date.now()
  await page
    .getByRole('button', { name: 'Stop', exact: true })
    .waitFor({ state: 'detached', timeout: 180_000 })
  print('all requests worked out', `${((Date.now() - start + 3000) / 1000).toFixed(1)} s later`)
  await longTasks(page)

  const scroll = "document.querySelector('.thread').scrollTop -= 120"
  print('frames while scrolling', rate(await frames(page, 4000, scroll)))
  print('tasks over 50 ms', told(await longTasks(page)))
  const jump =
    "const t = document.querySelector('.thread'); if (at % 10 === 0) t.scrollTop = Math.random() * t.scrollHeight"
  print('frames while the scroll bar is thrown about', rate(await frames(page, 4000, jump)))
  print('tasks over 50 ms', told(await longTasks(page)))

  await page.click('[aria-label="To the newest"]').catch(() => undefined)
  const processor = await processorTime(page)
  const slid = await slide(page)
  const spent = ((await processor()) / slid.length).toFixed(0)
  print(
    'slider: input to frame',
    `median ${at(slid, 0.5).toFixed(0)} ms, 95 % within ${at(slid, 0.95).toFixed(0)} ms; processor ${spent} ms each`,
  )
  print('tasks over 50 ms', told(await longTasks(page)))

  await page.getByRole('button', { name: 'Fork here' }).click()
  await page.waitForSelector('#composer')
  await page.waitForTimeout(4000)
  print('a fork, and its first saving: over 50 ms', told(await longTasks(page)))
  const typing = frames(page, 4000, '')
  await page.focus('#composer')
  await page.keyboard.type('a message that is typed without haste, word by word, to its end', { delay: 50 })
  print('frames while typing', rate(await typing))
  print('tasks over 50 ms', told(await longTasks(page)))
}

/**
 * Starts counting the processor time of the page's main thread, which is independent of the machine's load; returns a
 * function that ends it, in milliseconds.
 */
async function processorTime(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }
  const start = await now()
  return async () => (await now()) - start
}

/** Milliseconds from an input of the slider until its frame is drawn. */
const slide = (page) =>
  page.evaluate(async () => {
    const slider = document.querySelector('.stepper input')
    const times = []
    for (let i = 0; i < 40; i++) {
      const start = performance.now()
      slider.value = String(Math.floor(((i * 37) % 100) * (Number(slider.max) / 100)) + 1)
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise(requestAnimationFrame)
      // The frame is drawn before the next task.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
      times.push(performance.now() - start)
    }
    return times
  })

try {
  print('first load, brotli', `${((await firstLoad()) / 1024).toFixed(0)} KB`)
  await measure()
} finally {
  await browser.close()
  await server.close()
}
