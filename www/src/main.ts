import { createBars } from './bars.js'
import { createChart } from './chart.js'
import { createCosts } from './costs.js'
import { byId, nextPaint, oncePerFrame } from './dom.js'
import { createDrop } from './drop.js'
import { coreStarted } from './engine/core.js'
import { startFiles } from './engine/files.js'
import { createFacts } from './facts.js'
import { createFigures } from './figures.js'
import { drawLanding } from './landing.js'
import { createLegend } from './legend.js'
import { createMessages } from './messages.js'
import { createNotices } from './notices.js'
import { count, plural } from './numbers.js'
import { createPolicyPanel } from './policy-panel.js'
import { fetchSample, readSession } from './reading.js'
import { Replay, runReplay, type Series } from './replay.js'
import type { Session } from './session.js'
import { INITIAL_SETTINGS, type Settings, toPolicy } from './settings.js'
import { showSkipped } from './skipped.js'
import { createStepper } from './stepper.js'
import { createStore } from './store.js'
import { createTheme } from './theme.js'
import { createTooltip } from './tooltip.js'
import { createView } from './view.js'

/** Resolves when the engines that read a session have started; files dropped earlier wait for it. */
const engine = Promise.all([coreStarted, startFiles()])

/** State of the page; each part of the page draws from it. */
interface State {
  session: Session | null
  request: number
  settings: Settings
  series: Series | null
}

const store = createStore<State>({ session: null, request: 0, settings: INITIAL_SETTINGS, series: null })

const announce = (text: string) => {
  byId('announcer', HTMLElement).textContent = text
}
const setRequest = (request: number) => store.set({ request })
const deck = byId('deck', HTMLElement)

const notices = createNotices()
const tooltip = createTooltip()
const figures = createFigures(byId('figures', HTMLElement))
const legend = createLegend(byId('legend', HTMLElement))
const facts = createFacts(byId('facts', HTMLElement))
const chart = createChart(byId('chart', HTMLElement), tooltip, setRequest)
const stepper = createStepper(setRequest)
const costs = createCosts((error) => notices.error('The session cannot be replayed.', error))
const panel = createPolicyPanel(announce, (settings) => store.set({ settings, series: null }))
const messages = createMessages({
  covered: () => Math.max(0, deck.getBoundingClientRect().bottom),
  onVisible: (first, last) => bars.showVisible(first, last),
})
const bars = createBars(byId('bars', HTMLElement), tooltip, (block) => messages.reveal(block))

let replay: Replay | null = null
let running = new AbortController()
/** Whether the view must be drawn as soon as the replay reaches its request. */
let isViewDue = false

const refreshView = oncePerFrame(() => {
  const { request } = store.get()
  isViewDue = replay === null || replay.reached <= request
  if (replay === null || isViewDue) {
    return
  }
  try {
    const view = createView(replay, request)
    figures.show(view)
    legend.show(view)
    bars.show(view)
    messages.show(view)
  } catch (error) {
    notices.error('This view cannot be made.', error)
  }
})

/**
 * Replays the session under the settings. Draws the view as soon as its request is reached, and the chart at
 * the end.
 */
async function refreshReplay(session: Session, settings: Settings): Promise<void> {
  running.abort()
  running = new AbortController()
  isViewDue = true
  const mine = new Replay(session, toPolicy(settings))
  replay = mine
  const onReached = () => {
    if (isViewDue) {
      refreshView()
    }
  }
  try {
    if (await runReplay(mine, running.signal, onReached)) {
      store.set({ series: mine.series() })
    }
  } catch (error) {
    notices.error('The session cannot be replayed.', error)
  }
}

store.subscribe((now, before) => {
  const { session, request, settings, series } = now
  if (session === null) {
    return
  }
  const newSession = session !== before.session
  const newSettings = settings !== before.settings
  if (newSession) {
    showSession(session)
  }
  if (newSession || newSettings) {
    panel.show(settings)
    costs.show(session, settings)
  }
  if (newSession || newSettings || request !== before.request) {
    stepper.show(session, request)
  }
  chart.show(session, request, newSession || newSettings ? null : series)
  if (newSession || newSettings) {
    refreshReplay(session, settings)
  } else if (request !== before.request) {
    refreshView()
  }
})

function showSession(session: Session): void {
  byId('landing', HTMLElement).hidden = true
  byId('viewer', HTMLElement).hidden = false
  for (const id of ['session-title', 'open-file', 'open-sample', 'skip']) {
    byId(id, HTMLElement).hidden = false
  }
  const { inspection, transcript, name } = session
  const size = `${plural(inspection.messages, 'message')}, ${plural(inspection.steps, 'step')}`
  byId('session-name', HTMLElement).textContent = name
  document.title = `${name} · trimtab`
  byId('session-name', HTMLElement).title = transcript.title ?? name
  byId('session-facts', HTMLElement).textContent = `${transcript.kind} · ${size}`
  showSkipped(transcript.skipped)
  panel.setTools(inspection.tools)
  facts.show(session)
  announce(`${name}: ${size}, ${count(inspection.tokens.total)} estimated tokens`)
}

/** Length of a text, in UTF-16 units, from which reading takes long enough to show a message. */
const LONG_TEXT = 4_000_000

function load(name: string, text: string): void {
  try {
    const session = readSession(name, text)
    notices.clear()
    scrollTo({ top: 0, behavior: 'instant' })
    const settings = { ...store.get().settings, excludeTools: [] }
    store.set({ session, request: session.requests.length - 1, settings, series: null })
  } catch (error) {
    notices.error(`${name} cannot be shown.`, error)
  }
}

async function loadFrom(what: string, source: () => Promise<{ name: string; text: string }>): Promise<void> {
  const veil = byId('reading', HTMLElement)
  try {
    const [{ name, text }] = await Promise.all([source(), engine])
    if (text.length > LONG_TEXT) {
      veil.hidden = false
      await nextPaint()
    }
    load(name, text)
  } catch (error) {
    notices.error(`${what} cannot be read.`, error)
  } finally {
    veil.hidden = true
  }
}

const loadFile = (file: File) =>
  loadFrom(file.name, async () => ({ name: file.name, text: await file.text() }))
const loadSample = () => loadFrom('The sample', fetchSample)

const drop = createDrop(loadFile)
for (const id of ['open-file', 'landing-file']) {
  byId(id, HTMLButtonElement).addEventListener('click', drop.choose)
}
for (const id of ['open-sample', 'landing-sample']) {
  byId(id, HTMLButtonElement).addEventListener('click', loadSample)
}
createTheme(() => bars.repaint())
drawLanding()
// A link can open the sample directly.
if (location.hash === '#sample') {
  loadSample()
}
