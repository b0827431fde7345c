import { groups } from '../base/text.js'
import { codecOf } from '../formats/codecs.js'
import type { Format } from '../generated/types.js'
import {
  type Cell,
  type Column,
  inSections,
  listing,
  paint,
  paragraph,
  right,
  type Screen,
  section,
  table,
} from './render.js'
import type { LargestResult, PolicyOutcome, Summary } from './summary.js'
import { clip, count, oneLine, percent, tokens } from './text.js'

/** Formats the output of `trimtab inspect` as text. */
export function inspectText(summary: Summary, screen: Screen): string {
  const folder = commonFolder(summary)
  const sections = [
    heading(summary, screen),
    section('Tokens by kind', kinds(summary, screen), screen),
    section('Growth of the context from request to request', growth(summary, screen), screen),
    section('Tool results by tool', tools(summary, screen), screen),
    section('Largest tool results', largest(summary, folder, screen), screen),
    section('Repeated reads', repeatedReads(summary, folder, screen), screen),
    section('Kept by every policy', fixed(summary, screen), screen),
    section(unpairedTitle(summary), unpaired(summary, screen), screen),
    section(skippedTitle(summary), skipped(summary, screen), screen),
    section('What each policy would leave', policies(summary, screen), screen),
  ]
  return inSections(sections)
}

const AGENT_FILES: Record<Exclude<Summary['kind'], `${Format}-messages`>, string> = {
  'claude-code': 'Claude Code session',
  codex: 'Codex session',
  pi: 'pi session',
  'swe-agent': 'SWE-agent trajectory',
  'api-log': 'log of API requests',
  'saved-session': 'trimtab session',
}

function nameOf({ format, kind }: Summary): string {
  const names: Partial<Record<string, string>> = AGENT_FILES
  return names[kind] ?? `${codecOf(format).title} messages`
}

function heading(summary: Summary, screen: Screen): string[] {
  const { file, format, title, messages, steps } = summary
  const facts = [count(messages, 'message'), count(steps, 'step'), `${tokens(summary.tokens.total)} tokens`]
  const name = nameOf(summary)
  const place = clip(oneLine(file), screen.width - name.length - 1, 'end')
  const lines = [`${paint(name, 'bold', screen)} ${paint(place, 'dim', screen)}`]
  if (title !== null) lines.push(...paragraph(oneLine(title), screen))
  return [
    ...lines,
    `  ${facts.join(', ')}, ${format} format`,
    paint('  All tokens are estimates (~): UTF-8 bytes / 3.5. Messages are counted from 0.', 'dim', screen),
  ]
}

/** A column of bars, for shares of a whole. */
function bar<T>(whole: number, part: (entry: T) => number): Column<T> {
  return { style: 'cyan', cell: (entry) => ({ part: part(entry), whole }) }
}

function kinds({ tokens: by }: Summary, screen: Screen): string[] {
  const all: [string, number][] = [
    ['tool results', by.toolResults],
    ['tool calls', by.toolCalls],
    ['assistant text', by.assistantText],
    ['reasoning', by.reasoning],
    ['user', by.user],
    ['system', by.system],
    ['files and others', by.other],
  ]
  const shown = all.filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1])
  const columns: Column<[string, number]>[] = [
    { cell: ([name]) => name },
    right('', ([, value]) => tokens(value)),
    right('', ([, value]) => percent(value, by.total)),
    bar(by.total, ([, value]) => value),
  ]
  return table(columns, shown, screen)
}

function growth({ reportedTokens: found }: Summary, screen: Screen): string[] {
  if (found === null) return []
  const error = (percent: number): string => `${percent.toFixed(1)} %`
  const rows = [
    ['reported by the provider', groups(found.reported), ''],
    ['estimated by kinds of text', tokens(found.estimated.tokens), error(found.estimated.errorPercent)],
    ['calibrated by the reports', tokens(found.calibrated.tokens), error(found.calibrated.errorPercent)],
  ]
  const columns: Column<string[]>[] = [
    { title: 'tokens', flexible: true, cell: ([what = '']) => what },
    right('', ([, number = '']) => number),
    right('errors', ([, , share = '']) => share),
  ]
  const last = `${count(found.requests, 'request')}; with the last one ${groups(found.lastRequest)} tokens were sent, tools and system prompt included.`
  return [...table(columns, rows, screen), ...paragraph(last, screen)]
}

function tools({ toolResults, tokens: by }: Summary, screen: Screen): string[] {
  const columns: Column<Summary['toolResults'][number]>[] = [
    { title: 'tool', flexible: true, cell: ({ tool }) => toolName(tool) },
    right('results', ({ results }) => groups(results)),
    right('tokens', (entry) => tokens(entry.tokens)),
    right('share', (entry) => percent(entry.tokens, by.toolResults)),
    bar(by.toolResults, (entry) => entry.tokens),
  ]
  return listing(columns, toolResults, 12, screen)
}

function largest({ largestResults }: Summary, folder: string, screen: Screen): string[] {
  if (largestResults.length === 0) return []
  const columns: Column<LargestResult>[] = [
    right('message', ({ message }) => String(message)),
    { title: 'tool', cell: ({ tool }) => toolName(tool ?? '') },
    { title: 'path or command', flexible: true, cell: (result) => subject(result, folder) },
    right('lines', ({ lines }) => groups(lines)),
    right('tokens', (result) => tokens(result.tokens)),
  ]
  return [...folderNote(folder, screen), ...table(columns, largestResults, screen)]
}

const TOOL_COLUMNS = 24

/** Clips a tool's name, keeping its end: MCP servers put their own name first. */
function toolName(name: string): string {
  return name === '' ? '(unnamed)' : clip(oneLine(name), TOOL_COLUMNS, 'end')
}

function folderNote(folder: string, screen: Screen): string[] {
  if (folder === '') return []
  const start = '  paths below '
  return [paint(start + clip(oneLine(folder), screen.width - start.length, 'end'), 'dim', screen)]
}

function subject(result: LargestResult, folder: string): Cell {
  const { path, command, startLine, endLine, origin } = result
  if (path === null || (command !== null && origin === 'shell')) {
    return oneLine(command ?? result.argument ?? '')
  }
  const range = startLine === null ? '' : `:${startLine}-${endLine ?? ''}`
  return { text: oneLine(below(path, folder) + range), keep: 'end' }
}

function below(path: string, folder: string): string {
  return folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : path
}

/** Folder shared by all absolute paths in the tables, with trailing slash; empty if there is no useful one. */
function commonFolder({ largestResults, repeatedReads }: Summary): string {
  const all = [...largestResults.map(({ path }) => path), ...repeatedReads.map(({ path }) => path)]
  const paths = all.filter((path): path is string => path?.startsWith('/') === true)
  const [first] = paths
  if (first === undefined || paths.length < 2) return ''
  let shared = first.slice(0, first.lastIndexOf('/') + 1)
  while (shared !== '' && !paths.every((path) => path.startsWith(shared))) {
    shared = shared.slice(0, shared.lastIndexOf('/', shared.length - 2) + 1)
  }
  return shared.length > 1 ? shared : ''
}

function repeatedReads(summary: Summary, folder: string, screen: Screen): string[] {
  const { repeatedReads: repeated, supersededReads: superseded } = summary
  const columns: Column<Summary['repeatedReads'][number]>[] = [
    {
      title: 'file',
      flexible: true,
      cell: ({ path }) => ({ text: oneLine(below(path, folder)), keep: 'end' }),
    },
    right('reads', ({ reads }) => groups(reads)),
    right('tokens of the older', (entry) => tokens(entry.tokens)),
  ]
  const lines = listing(columns, repeated, 8, screen)
  if (superseded.results > 0) {
    const text = `${count(superseded.results, 'read')} (${tokens(superseded.tokens)} tokens) superseded: a newer read covers the lines, or the file was edited since.`
    lines.push(...paragraph(text, screen))
  }
  return lines
}

function fixed({ fixed: found }: Summary, screen: Screen): string[] {
  const columns: Column<Summary['fixed'][number]>[] = [
    { title: 'type', flexible: true, cell: ({ type }) => oneLine(type) },
    right('blocks', ({ blocks }) => groups(blocks)),
    right('tokens', (entry) => tokens(entry.tokens)),
    { title: 'why', cell: ({ reason }) => reason },
  ]
  return listing(columns, found, 8, screen)
}

function unpairedTitle({ unansweredCalls, orphanResults }: Summary): string {
  if (unansweredCalls.length === 0)
    return count(orphanResults.length, 'result without a call', 'results without a call')
  const calls = count(unansweredCalls.length, 'unanswered call')
  if (orphanResults.length === 0) return calls
  return `${calls}, ${count(orphanResults.length, 'result without a call', 'results without a call')}`
}

function unpaired({ unansweredCalls, orphanResults }: Summary, screen: Screen): string[] {
  const calls = unansweredCalls.map((call) => ({ what: 'call', ...call }))
  const results = orphanResults.map((result) => ({ what: 'result', ...result }))
  const first = [...calls.slice(0, 5), ...results.slice(0, 5)]
  const all = [...first, ...calls.slice(5), ...results.slice(5)]
  const columns: Column<(typeof all)[number]>[] = [
    { cell: ({ what }) => what },
    { cell: ({ message }) => `message ${message}` },
    { cell: ({ tool }) => toolName(tool) },
    { flexible: true, cell: ({ id }) => oneLine(id) },
  ]
  return listing(columns, all, first.length, screen)
}

function skippedTitle({ skipped: { count: number, reasons } }: Summary): string {
  const unit = reasons[0]?.unit === 'entry' ? 'entry' : 'line'
  return `${count(number, unit, unit === 'entry' ? 'entries' : 'lines')} skipped`
}

function skipped({ skipped: { reasons } }: Summary, screen: Screen): string[] {
  const sorted = [...reasons].sort((a, b) => b.count - a.count)
  const columns: Column<(typeof sorted)[number]>[] = [
    right('', (entry) => groups(entry.count)),
    { flexible: true, cell: ({ reason }) => oneLine(reason) },
    {
      style: 'dim',
      cell: ({ count: number, first, unit }) =>
        `${unit} ${first.slice(0, 3).join(', ')}${number > 3 ? ' ...' : ''}`,
    },
  ]
  return listing(columns, sorted, 8, screen)
}

function policies({ policies: outcomes, messages }: Summary, screen: Screen): string[] {
  const columns: Column<PolicyOutcome>[] = [
    { title: 'policy', flexible: true, cell: ({ name }) => ({ text: oneLine(name), keep: 'end' }) },
    right('tokens', (outcome) => tokens(outcome.tokens)),
    right('left', (outcome) => `${outcome.percent.toFixed(1)} %`),
    right('edits', ({ edits }) => groups(edits)),
    right('1st change', ({ firstChangedMessage: first }) => (first === null ? 'none' : String(first))),
    { style: 'cyan', cell: (outcome) => ({ part: outcome.percent, whole: 100, track: true }) },
  ]
  return [...table(columns, outcomes, screen), ...cacheNote(outcomes, messages, screen)]
}

/** Warns that fewer tokens do not always cost less: a sliding policy changes old messages at every step. */
function cacheNote(outcomes: readonly PolicyOutcome[], messages: number, screen: Screen): string[] {
  const sliding = outcomes.find(({ passes }) => passes.some(({ pass, edits }) => pass === 'age' && edits > 0))
  if (sliding?.firstChangedMessage == null) return []
  const text =
    `Rolling context slides: step by step it clears older results, and each time the provider's prompt cache ` +
    `is rewritten from the first changed message on (here ${sliding.firstChangedMessage} of ${messages}).`
  return paragraph(text, screen).map((line) => paint(line, 'yellow', screen))
}
