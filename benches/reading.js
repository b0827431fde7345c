// Savings and cost of shortened views of files. Document "Unified read_file" states savings of 60, 60, 86 and 88 % for
// files of 150, 300, 700 and 1200 lines, and 93 % for its three turns. Measured on files of this project and its
// packages; and on real sessions, how often the old text of a later edit is in the lines shown.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createIndex } from '../js/dist/entries/index.js'
import { conversationOf, readFile } from '../js/dist/entries/reading.js'
import { readTranscript } from '../js/dist/entries/transcripts.js'
import { readConversation } from '../js/dist/formats/convert.js'
import { resultText } from '../js/dist/formats/result.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const ENDS = /(?<!\.min)\.(?:ts|js|mjs|py|rs|go|java|c|h|cpp|rb)$/

const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 3.5)
const percent = (part, whole) => (whole === 0 ? '-' : `${((part / whole) * 100).toFixed(0)} %`)
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0
const row = (...cells) =>
  console.log(cells.map((cell, i) => String(cell)[i ? 'padStart' : 'padEnd'](i ? 14 : 24)).join(''))

/** Source files whose number of lines is within a tenth of a size, spread over those available. */
function filesOfAbout(lines, files) {
  const near = files.filter((file) => Math.abs(file.lines - lines) <= lines / 10)
  const step = Math.max(1, Math.floor(near.length / 20))
  return near.filter((_, i) => i % step === 0).slice(0, 20)
}

function sourceFiles() {
  const found = []
  for (const folder of ['src', 'js/src', 'node_modules']) collect(join(project, folder), found, 0)
  return found
}

function collect(folder, found, depth) {
  if (depth > 6 || found.length > 6000) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) collect(path, found, depth + 1)
    else if (entry.isFile() && ENDS.test(entry.name) && !/-bytes\.ts$/.test(entry.name)) {
      const content = readFileSync(path, 'utf8')
      if (content.length < 200_000) found.push({ path, content, lines: content.split('\n').length - 1 })
    }
  }
}

/** A question about a file, from someone who knows its content: about a section in its middle. */
function questionOf({ sections }) {
  const named = sections.filter(({ kind, name }) => kind === 'function' && name.length > 3)
  const name = named[named.length >> 1]?.name ?? 'errors'
  return [{ role: 'user', text: `How does ${name} work?` }]
}

async function shortened(files) {
  console.log('\nLines saved, median of 20 real files (tokens in brackets)')
  row('lines', 'document', 'structure', 'question', 'files')
  for (const [lines, claim] of [
    [150, 60],
    [300, 60],
    [700, 86],
    [1200, 88],
  ]) {
    const near = filesOfAbout(lines, files)
    const saved = { structure: [], question: [] }
    const savedTokens = { structure: [], question: [] }
    for (const { path, content } of near) {
      const full = tokens((await readFile({ path, content, mode: 'full' })).text)
      const structure = await readFile({ path, content, maxTokens: 1e9 })
      const question = await readFile({ path, content, maxTokens: 1e9, conversation: questionOf(structure) })
      for (const [kind, view] of Object.entries({ structure, question })) {
        saved[kind].push(100 - view.preservedPercentage)
        savedTokens[kind].push(100 - (tokens(view.text) / full) * 100)
      }
    }
    const cell = (kind) => `${median(saved[kind]).toFixed(0)} % (${median(savedTokens[kind]).toFixed(0)} %)`
    row(lines, `${claim} %`, cell('structure'), cell('question'), near.length)
  }
}

/**
 * Replays the document's conversation: a file is read, then 101 of its lines are read again, then a question is asked;
 * reads of earlier turns are digests. Returns the context at each turn, in lines and in tokens, and its size without
 * shortening.
 */
async function turnsOf({ path, content }, lines) {
  const structure = await readFile({ path, content, maxTokens: 1e9, conversation: [] })
  const [{ text: question }] = questionOf(structure)
  const all = content.split('\n')
  const name = question.split(' ')[2]
  const { startLine = all.length >> 1 } = structure.sections.find((section) => section.name === name) ?? {}
  const piece = all.slice(startLine - 1, startLine + 100)
  const index = createIndex()
  index.add({ path, content, sections: structure.sections })
  const task = `Add error handling to ${name}`
  const digest = (file, conversation) => {
    const { shownLines, text } = index.digest(file, conversation, { lines })
    return { lines: shownLines, tokens: tokens(text) }
  }
  const shown = (text, count) => ({ lines: count, tokens: tokens(text) })
  const pieceText = piece.join('\n')
  const turns = [
    [shown(structure.text, structure.preservedLines)],
    [digest(path, question), shown(pieceText, piece.length)],
    [digest(path, `${question}\n${task}`), digest({ path: 'piece', content: pieceText }, task)],
  ]
  const whole = shown(content, all.length - 1)
  const read = shown(pieceText, piece.length)
  return { turns, inFull: [[whole], [whole, read], [whole, read]] }
}

const saved = (turns, inFull, key) => {
  const sum = (all) => all.flat().reduce((total, one) => total + one[key], 0)
  return (1 - sum(turns) / sum(inFull)) * 100
}

async function threeTurns(files) {
  const near = filesOfAbout(1200, files)
  console.log("\nThe document's three turns on files of about 1,200 lines, median (tokens in brackets)")
  console.log(
    '(it says 93 %: its last turn, 100 lines of 1,400; its three turns together are 500 of 3,950, 87 %)',
  )
  row('digests of', 'last turn', 'three turns', 'files')
  for (const lines of [50, 35, 20, 10]) {
    const found = []
    for (const file of near) found.push(await turnsOf(file, lines))
    const cell = (part) => {
      const of = (key) =>
        median(found.map(({ turns, inFull }) => saved(turns.slice(part), inFull.slice(part), key)))
      return `${of('lines').toFixed(0)} % (${of('tokens').toFixed(0)} %)`
    }
    row(`${lines} lines`, cell(-1), cell(0), near.length)
  }
}

const OLD = ['old_string', 'oldText', 'old_str', 'old_text']
const readers = /^(?:read|read_file|Read|view|open)$/

/** Returns every edit with the newest earlier read that shows its old text, and the conversation before that read. */
function editsOf(messages, format) {
  const neutral = readConversation(messages, format)
  const reads = []
  const edits = []
  for (const message of neutral) {
    for (const { name, input } of message.blocks.filter(({ kind }) => kind === 'call')) {
      const value = input.form === 'json' ? JSON.parse(input.text || '{}') : (input.value ?? {})
      const old = OLD.map((key) => value[key]).find((text) => typeof text === 'string' && text !== '')
      const path = value.path ?? value.file_path
      if (readers.test(name) || old === undefined || path === undefined) continue
      const read = reads.findLast((each) => each.path === path && each.text.includes(old))
      if (read !== undefined) edits.push({ old, read })
    }
    for (const result of message.results) {
      const input = result.call?.input
      const value = input?.form === 'json' ? JSON.parse(input.text || '{}') : (input?.value ?? {})
      const path = value.path ?? value.file_path
      if (!readers.test(result.call?.name ?? '') || path === undefined || result.isError) continue
      const isWhole =
        value.offset === undefined && value.limit === undefined && value.view_range === undefined
      reads.push({ path, text: resultText(result), isWhole, at: message.at })
    }
  }
  return { reads, edits }
}

/** Whether all lines of a text in the file are shown. */
function isShown(view, content, old) {
  const start = content.slice(0, content.indexOf(old)).split('\n').length
  const end = start + old.replace(/\n$/, '').split('\n').length - 1
  return view.ranges.some((range) => range.start <= start && end <= range.end)
}

async function session(file) {
  const { messages, format } = readTranscript(readFileSync(file, 'utf8'), { history: 'full' })
  const { reads, edits } = editsOf(messages, format)
  const long = ({ text }) => text.split('\n').length > 100
  for (const [title, isMeant] of [
    ['whole files', (read) => read.isWhole],
    ['parts of files', (read) => !read.isWhole],
  ]) {
    const meant = edits.filter(({ read }) => long(read) && isMeant(read))
    const kept = { structure: 0, conversation: 0 }
    const shownTokens = { structure: 0, conversation: 0, full: 0 }
    const views = new Map()
    const viewsOf = async (read) => {
      const { path, text: content } = read
      const said = conversationOf(messages.slice(0, read.at + 1), { format })
      const structure = await readFile({ path, content, mode: 'structure' })
      const conversation = await readFile({ path, content, mode: 'curated', conversation: said })
      return { structure, conversation }
    }
    for (const read of reads.filter((each) => long(each) && isMeant(each))) {
      views.set(read, await viewsOf(read))
      shownTokens.full += tokens(read.text)
      for (const kind of ['structure', 'conversation'])
        shownTokens[kind] += tokens(views.get(read)[kind].text)
    }
    for (const { old, read } of meant) {
      for (const kind of ['structure', 'conversation']) {
        if (isShown(views.get(read)[kind], read.text, old)) kept[kind]++
      }
    }
    if (views.size === 0) continue
    console.log(`  ${title}: ${views.size} reads of over 100 lines, ${shownTokens.full} tokens`)
    for (const kind of ['structure', 'conversation']) {
      const saved = percent(shownTokens.full - shownTokens[kind], shownTokens.full)
      const all = [...views.values()].map((each) => each[kind])
      const sum = (key) => all.reduce((total, view) => total + view[key], 0)
      const shown = percent(sum('preservedLines'), sum('totalLines'))
      console.log(
        `    ${kind.padEnd(14)}${kept[kind]} of ${meant.length} edits; ${shown} of the lines shown, ${saved} of the tokens saved`,
      )
    }
  }
}

const files = sourceFiles()
await shortened(files)
await threeTurns(files)
const data = join(project, '..', 'shared', 'data')
const sessions = existsSync(data)
  ? readdirSync(data).filter((name) => /\.(?:jsonl|json|traj)$/.test(name))
  : []
if (sessions.length === 0)
  console.log('\nNo real sessions at ../shared/data: what views cost is not measured.')
for (const name of sessions) {
  console.log(`\n${name}: edits whose old text the view of the last read shows`)
  await session(join(data, name))
}
