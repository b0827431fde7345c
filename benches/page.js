// The built page with 10,000 messages of 40 MB in headless Chromium: time to open, blocking of the page, frames while
// scrolling and typing, response time of the slider, and bytes needed for the first view.
import { createServer } from 'node:http'
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
  const messages = globalThis.longSession(steps, lines)
  const data = new DataTransfer()
  const file = new File([JSON.stringify(messages)], 'big.json')
  data.items.add(file)
  Object.assign(globalThis, { bench: { data } })
  return { messages: messages.length, bytes: file.size }
}

/**
 * Starts recording the tasks of the page's main thread. The returned function ends the current part and returns their
 * durations in processor time, in milliseconds: a busy machine does not stretch them.
 */
async function recordTasks(page) {
  const session = await page.context().newCDPSession(page)
  let events = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  const start = () =>
    session.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { excludedCategories: ['*'], includedCategories: ['toplevel'] },
    })
  await start()
  return async () => {
    const isOver = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await isOver
    const named = events.filter(({ args }) => args?.name === 'CrRendererMain')
    const main = new Set(named.map(({ pid, tid }) => `${pid} ${tid}`))
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    events = []
    await start()
    return tasks.map(({ tdur = 0 }) => tdur / 1000)
  }
}

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
const told = (list) => {
  const long = list.filter((time) => time > 50)
  const longest = list.reduce((most, time) => Math.max(most, time), 0)
  return `${long.length === 0 ? 'none' : long.length}, longest ${longest.toFixed(0)} ms`
}
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
  const tasks = await recordTasks(page)
  const opened = await page.evaluate(async () => {
    const start = performance.now()
    const { data } = globalThis.bench
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
    while (document.querySelector('.transport') === null) await new Promise(requestAnimationFrame)
    return performance.now() - start
  })
  print('opened', `${(opened / 1000).toFixed(1)} s`)
  print('tasks over 50 ms while it opens', told(await tasks()))
  await page.waitForTimeout(3000)
  print('while requests are worked out, 3 s', told(await tasks()))
  const start = Date.now()
  await page
    .getByRole('button', { name: 'Stop', exact: true })
    .waitFor({ state: 'detached', timeout: 180_000 })
  print('all requests worked out', `${((Date.now() - start + 3000) / 1000).toFixed(1)} s later`)
  await tasks()

  const scroll = "document.querySelector('.thread').scrollTop -= 120"
  print('frames while scrolling', rate(await frames(page, 4000, scroll)))
  print('tasks over 50 ms', told(await tasks()))
  const jump =
    "const t = document.querySelector('.thread'); if (at % 10 === 0) t.scrollTop = Math.random() * t.scrollHeight"
  print('frames while the scroll bar is thrown about', rate(await frames(page, 4000, jump)))
  print('tasks over 50 ms', told(await tasks()))

  await page.click('[aria-label="To the newest"]').catch(() => undefined)
  const processor = await processorTime(page)
  const slid = await slide(page)
  const spent = ((await processor()) / slid.length).toFixed(0)
  print(
    'slider: input to frame',
    `median ${at(slid, 0.5).toFixed(0)} ms, 95 % within ${at(slid, 0.95).toFixed(0)} ms; processor ${spent} ms each`,
  )
  print('tasks over 50 ms', told(await tasks()))

  await page.getByRole('button', { name: 'Fork here' }).click()
  await page.waitForSelector('#composer')
  await page.waitForTimeout(4000)
  print('a fork, and its first saving: over 50 ms', told(await tasks()))
  const typing = frames(page, 4000, '')
  await page.focus('#composer')
  await page.keyboard.type('a message that is typed without haste, word by word, to its end', { delay: 50 })
  print('frames while typing', rate(await typing))
  print('tasks over 50 ms', told(await tasks()))
  await page.close()
}

/** Plays the largest session again, at the highest speed, for ten seconds. */
async function playLargest() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(address)
  await page.waitForSelector('#composer')
  await page.evaluate(`globalThis.longSession = ${longSession}`)
  await page.evaluate(prepare, [STEPS, LINES])
  await page.evaluate(() => {
    const { data } = globalThis.bench
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
  })
  await page.getByRole('button', { name: 'Play from the start' }).click({ timeout: 120_000 })
  await page.selectOption('.speed select', '64')
  const tasks = await recordTasks(page)
  await page.waitForTimeout(10_000)
  const at = /Request (\d+)/.exec((await page.textContent('.transport')) ?? '')?.[1]
  print(`replay, 10 s, up to request ${at}: tasks over 50 ms`, told(await tasks()))
  await page.close()
}

const PARAGRAPH =
  'The **offset** of a `zone` is added, and not taken away: see [the rule](https://example.org/rule) for why.\n\n'
const CODE = `\`\`\`ts\n${'export const offsetOf = (zone: string): number => table.get(zone) ?? 0 // UTC\n'.repeat(300)}\`\`\`\n\n`
const LIST = `${'- an item with `code` and *emphasis*\n'.repeat(300)}\n`

const TABLE = `| name | value | why |\n| --- | --- | --- |\n${'| one `x` | two | three **y** |\n'.repeat(1500)}\n`

/** Answers that stream, by what they are mostly of. */
const ANSWERS = {
  'an answer': PARAGRAPH.repeat(200) + CODE + LIST + PARAGRAPH.repeat(200),
  'a list': LIST.repeat(2),
  'a table': TABLE,
}

/** A server of Chat Completions that streams one long answer: 150 characters every 4 milliseconds. */
async function answeringServer(text) {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [content] of text.matchAll(/.{1,150}/gs)) {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function streamLong(name, text) {
  const server = await answeringServer(text)
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(address)
  await page.waitForSelector('#composer')
  await page.click('.model-button')
  await page.getByRole('button', { name: 'OpenAI-compatible', exact: true }).click()
  await page.fill('[name="address"]', `http://127.0.0.1:${server.address().port}/v1`)
  await page.fill('[name="model"]', 'long-1')
  await page.click('text=Use this model')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.fill('#composer', 'why?')
  const tasks = await recordTasks(page)
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.row-text', { timeout: 120_000 })
  print(`${name} of ${(text.length / 1000).toFixed(0)} KB streams: tasks over 50 ms`, told(await tasks()))
  await page.close()
  server.closeAllConnections()
  server.close()
}

/** Opens a session with texts of 5 MB in messages of each role, and unfolds them. */
async function openHuge() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(address)
  await page.waitForSelector('#composer')
  await page.evaluate((paragraph) => {
    const text = paragraph.repeat(5_000_000 / paragraph.length)
    const messages = [
      { role: 'system', content: text },
      { role: 'user', content: text },
      { role: 'assistant', content: text, reasoning_content: text },
    ]
    const data = new DataTransfer()
    data.items.add(new File([JSON.stringify(messages)], 'huge.json'))
    Object.assign(globalThis, { bench: { data } })
  }, PARAGRAPH)
  const tasks = await recordTasks(page)
  await page.evaluate(() => {
    const { data } = globalThis.bench
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
  })
  await page.waitForSelector('.transport', { timeout: 120_000 })
  await page.waitForTimeout(3000)
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('.rows details')) fold.open = true
  })
  await page.waitForTimeout(1000)
  print('four texts of 5 MB are opened: tasks over 50 ms', told(await tasks()))
  await page.close()
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
  for (const [name, text] of Object.entries(ANSWERS)) await streamLong(name, text)
  await openHuge()
  await playLargest()
  await measure()
} finally {
  await browser.close()
  await server.close()
}
