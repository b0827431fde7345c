import type { Inspection } from 'trimtab'
import { estimateTokens } from 'trimtab/tokens'
import { h } from './dom.js'
import { count, plural, shortTokens } from './numbers.js'
import type { Session } from './session.js'

const SHOWN = 6

/**
 * Shows the inspection of the whole session: tool results by tool, repeated and superseded reads, broken
 * pairs.
 */
export function createFacts(root: HTMLElement): { show(session: Session): void } {
  return {
    show({ inspection, transcript }) {
      root.replaceChildren(
        h('div', { class: 'card-head' }, h('h2', {}, 'In this session')),
        toolTable(inspection),
        h(
          'ul',
          { class: 'findings' },
          ...[...findings(inspection), ...systemPrompt(transcript.system)].map((text) => h('li', {}, text)),
        ),
      )
    },
  }
}

function toolTable({ tools }: Inspection): HTMLElement {
  const most = Math.max(1, ...tools.map((tool) => tool.tokens))
  const rows = tools.slice(0, SHOWN).map(({ tool, results, tokens }) => {
    const bar = h('span', { class: 'tool-bar' })
    bar.style.width = `${(tokens / most) * 100}%`
    return h(
      'tr',
      {},
      h('th', { attrs: { scope: 'row' } }, h('code', {}, tool)),
      h('td', {}, count(results)),
      h('td', {}, shortTokens(tokens)),
      h('td', { class: 'bar-cell', attrs: { 'aria-hidden': 'true' } }, bar),
    )
  })
  const head = ['Tool', 'results', 'est. tokens'].map((text) => h('th', { attrs: { scope: 'col' } }, text))
  return h(
    'table',
    { class: 'tools' },
    h('caption', { class: 'visually-hidden' }, 'Tool results by tool'),
    h('thead', {}, h('tr', {}, ...head, h('td', {}))),
    h('tbody', {}, ...rows),
  )
}

function findings(inspection: Inspection): string[] {
  const { repeatedReads, supersededReads, unansweredCalls, orphanResults, tools } = inspection
  const repeated = repeatedReads.reduce((sum, read) => sum + read.tokens, 0)
  const found: [number, string][] = [
    [tools.length - SHOWN, `${plural(tools.length - SHOWN, 'more tool')}`],
    [
      repeatedReads.length,
      `${plural(repeatedReads.length, 'file')} read more than once: ${shortTokens(repeated)} est. tokens in older reads`,
    ],
    [
      supersededReads.results,
      `${plural(supersededReads.results, 'read')} superseded by a newer read or an edit: ${shortTokens(supersededReads.tokens)} est. tokens`,
    ],
    [unansweredCalls.length, `${plural(unansweredCalls.length, 'call')} without a result`],
    [orphanResults.length, `${plural(orphanResults.length, 'result')} without a call`],
  ]
  return found.filter(([amount]) => amount > 0).map(([, text]) => text)
}

/**
 * Describes the system prompt of a session file that stores it beside the messages. A projection does not
 * include it.
 */
function systemPrompt(text: string | undefined): string[] {
  return text === undefined
    ? []
    : [
        `a system prompt of ${shortTokens(estimateTokens(text))} est. tokens is sent beside the messages and not counted here`,
      ]
}
