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

const barColumn: Column = { style: 'cyan' }

function kinds({ tokens: by }: Summary, screen: Screen): string[] {
  const rows: [string, number][] = [
    ['tool results', by.toolResults],
    ['tool calls', by.toolCalls],
    ['assistant text', by.assistantText],
    ['reasoning', by.reasoning],
    ['user', by.user],
    ['system', by.system],
    ['files and others', by.other],
  ]
  const shown = rows.filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1])
  const cells = shown.map(([name, value]) => [
    name,
    tokens(value),
    percent(value, by.total),
    { part: value, whole: by.total },
  ])
  return table([{}, right, right, barColumn], cells, screen)
}

function growth({ reportedTokens: found }: Summary, screen: Screen): string[] {
  if (found === null) return []
  const error = (percent: number): string => `${percent.toFixed(1)} %`
  const rows = [
    ['reported by the provider', groups(found.reported), ''],
    ['estimated by kinds of text', tokens(found.estimated.tokens), error(found.estimated.errorPercent)],
    ['calibrated by the reports', tokens(found.calibrated.tokens), error(found.calibrated.errorPercent)],
  ]
  const columns: Column[] = [{ title: 'tokens', flexible: true }, right, { title: 'errors', ...right }]
  const last = `${count(found.requests, 'request')}; with the last one ${groups(found.lastRequest)} tokens were sent, tools and system prompt included.`
  return [...table(columns, rows, screen), ...paragraph(last, screen)]
}

function tools({ toolResults, tokens: by }: Summary, screen: Screen): string[] {
  const rows = toolResults.map((entry) => [
    toolName(entry.tool),
    groups(entry.results),
    tokens(entry.tokens),
    percent(entry.tokens, by.toolResults),
    { part: entry.tokens, whole: by.toolResults },
  ])
  const columns: Column[] = [
    { title: 'tool', flexible: true },
    { title: 'results', ...right },
    { title: 'tokens', ...right },
    { title: 'share', ...right },
    barColumn,
  ]
  return listing(columns, rows, 12, screen)
}

function largest({ largestResults }: Summary, folder: string, screen: Screen): string[] {
  if (largestResults.length === 0) return []
  const rows = largestResults.map((result) => [
    String(result.message),
    toolName(result.tool ?? ''),
    subject(result, folder),
    groups(result.lines),
    tokens(result.tokens),
  ])
  const columns: Column[] = [
    { title: 'message', ...right },
    { title: 'tool' },
    { title: 'path or command', flexible: true },
    { title: 'lines', ...right },
    { title: 'tokens', ...right },
  ]
  return [...folderNote(folder, screen), ...table(columns, rows, screen)]
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
  const rows = repeated.map(({ path, reads, tokens: spent }) => [
    { text: oneLine(below(path, folder)), keep: 'end' as const },
    groups(reads),
    tokens(spent),
  ])
  const columns: Column[] = [
    { title: 'file', flexible: true },
    { title: 'reads', ...right },
    { title: 'tokens of the older', ...right },
  ]
  const lines = listing(columns, rows, 8, screen)
  if (superseded.results > 0) {
    const text = `${count(superseded.results, 'read')} (${tokens(superseded.tokens)} tokens) superseded: a newer read covers the lines, or the file was edited since.`
    lines.push(...paragraph(text, screen))
  }
  return lines
}

function fixed({ fixed: found }: Summary, screen: Screen): string[] {
  const rows = found.map(({ type, blocks, tokens: held, reason }) => [
    oneLine(type),
    groups(blocks),
    tokens(held),
    reason,
  ])
  const columns: Column[] = [
    { title: 'type', flexible: true },
    { title: 'blocks', ...right },
    { title: 'tokens', ...right },
    { title: 'why' },
  ]
  return listing(columns, rows, 8, screen)
}

function unpairedTitle({ unansweredCalls, orphanResults }: Summary): string {
  if (unansweredCalls.length === 0)
    return count(orphanResults.length, 'result without a call', 'results without a call')
  const calls = count(unansweredCalls.length, 'unanswered call')
  if (orphanResults.length === 0) return calls
  return `${calls}, ${count(orphanResults.length, 'result without a call', 'results without a call')}`
}

function unpaired({ unansweredCalls, orphanResults }: Summary, screen: Screen): string[] {
  const row = (what: string, entry: { message: number; tool: string; id: string }): string[] => [
    what,
    `message ${entry.message}`,
    toolName(entry.tool),
    oneLine(entry.id),
  ]
  const calls = unansweredCalls.map((entry) => row('call', entry))
  const results = orphanResults.map((entry) => row('result', entry))
  const first = [...calls.slice(0, 5), ...results.slice(0, 5)]
  const rows = [...first, ...calls.slice(5), ...results.slice(5)]
  return listing([{}, {}, {}, { flexible: true }], rows, first.length, screen)
}

function skippedTitle({ skipped: { count: number, reasons } }: Summary): string {
  const unit = reasons[0]?.unit === 'entry' ? 'entry' : 'line'
  return `${count(number, unit, unit === 'entry' ? 'entries' : 'lines')} skipped`
}

function skipped({ skipped: { reasons } }: Summary, screen: Screen): string[] {
  const sorted = [...reasons].sort((a, b) => b.count - a.count)
  const rows = sorted.map(({ reason, count: number, first, unit }) => [
    groups(number),
    oneLine(reason),
    `${unit} ${first.slice(0, 3).join(', ')}${number > 3 ? ' ...' : ''}`,
  ])
  const columns: Column[] = [right, { flexible: true }, { style: 'dim' }]
  return listing(columns, rows, 8, screen)
}

function policies({ policies: outcomes, messages }: Summary, screen: Screen): string[] {
  const rows = outcomes.map((outcome) => [
    { text: oneLine(outcome.name), keep: 'end' as const },
    tokens(outcome.tokens),
    `${outcome.percent.toFixed(1)} %`,
    groups(outcome.edits),
    outcome.firstChangedMessage === null ? 'none' : String(outcome.firstChangedMessage),
    { part: outcome.percent, whole: 100, track: true },
  ])
  const columns: Column[] = [
    { title: 'policy', flexible: true },
    { title: 'tokens', ...right },
    { title: 'left', ...right },
    { title: 'edits', ...right },
    { title: '1st change', ...right },
    barColumn,
  ]
  return [...table(columns, rows, screen), ...cacheNote(outcomes, messages, screen)]
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
