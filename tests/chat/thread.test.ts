import type { EditReport, PassName } from 'trimtab'
import { readMessages } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { grouped, groupOf } from '../../www/src/chat/agent/groups.js'
import type { SentRequest } from '../../www/src/chat/agent/requests.js'
import { type Row, rowsOf } from '../../www/src/chat/agent/thread.js'
import { TrimReader, trimPrice } from '../../www/src/chat/agent/trims.js'

/** An answer with these calls, each followed by its result; a call with a `?` has no result yet. */
function calls(from: number, ...tools: string[]): object[] {
  const made = tools.map((tool, at) => ({
    tool: tool.replace('?', ''),
    id: `c${from}.${at}`,
    isOpen: tool.endsWith('?'),
  }))
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: made.map(({ tool, id }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify({ path: `src/${id}.ts`, content: 'x' }) },
      })),
    },
    ...made
      .filter(({ isOpen }) => !isOpen)
      .map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `result ${id}` })),
  ]
}

const rows = (...messages: object[]) =>
  rowsOf({ history: readMessages(messages), requests: [], trims: [], notes: [] })

const outline = (list: readonly Row[]) =>
  list.map((row) => (row.kind === 'group' ? `${row.isOpen ? '▾' : '▸'}${row.uses.length}` : row.kind))

describe('consecutive calls', () => {
  const user = { role: 'user', content: 'Go on.' }

  test('are grouped from three on, up to the next row of another kind', () => {
    const all = rows(
      user,
      ...calls(0, 'read_file', 'shell', 'search'),
      ...calls(1, 'read_file'),
      user,
      ...calls(2, 'shell', 'shell'),
    )
    expect(outline(grouped(all, () => false))).toEqual(['user', '▸4', 'user', 'tool', 'tool'])
    expect(outline(grouped(all, () => true))).toEqual([
      'user',
      '▾4',
      ...Array(4).fill('tool'),
      'user',
      'tool',
      'tool',
    ])
  })

  test('are not grouped if they edit or have no result yet', () => {
    const all = rows(
      user,
      ...calls(0, 'read_file', 'read_file', 'write_file', 'read_file'),
      ...calls(1, 'shell', 'shell', 'shell?'),
    )
    expect(outline(grouped(all, () => false))).toEqual(['user', 'tool', 'tool', 'tool', '▸3', 'tool'])
  })

  test('can be found in their group by their keys', () => {
    const all = rows(user, ...calls(0, 'read_file', 'shell', 'search'), user, ...calls(1, 'shell'))
    const group = grouped(all, () => false).find(({ kind }) => kind === 'group')?.key
    expect(all.map(({ key }) => groupOf(all, key))).toEqual([null, group, group, group, null, null])
    expect(groupOf(all, 'none')).toBe(null)
    const isLast: boolean[] = []
    grouped(all.slice(0, 4), (_, last) => isLast.push(last) > 0)
    grouped(all, (_, last) => isLast.push(last) > 0)
    expect(isLast).toEqual([true, false])
  })
})

describe('TrimReader', () => {
  const edit = (message: number, tokensBefore: number, tokensAfter: number, pass: PassName = 'reads') =>
    ({ message, block: 0, tokensBefore, tokensAfter, pass }) as EditReport
  const request = (sent: number, ...edits: EditReport[]): SentRequest => ({
    messages: 1,
    time: 0,
    full: sent,
    sent,
    cached: 0,
    fullCached: 0,
    edits,
    dropped: [],
  })
  const trimsOf = (...requests: SentRequest[]) => {
    const reader = new TrimReader()
    reader.read(requests)
    return reader.trims
  }

  test('reports a small cut together with the next large one, and nothing twice', () => {
    const made = [request(10_000), request(10_000, edit(1, 20, 8)), request(9000, edit(2, 2000, 100))]
    expect(trimsOf(...made.slice(0, 2))).toEqual([])
    const [trim, ...others] = trimsOf(...made, request(9100, edit(3, 2000, 10)))
    expect(trim).toMatchObject({ request: 2, before: 10_912, after: 9000 })
    expect(trim?.edits.map(({ message }) => message)).toEqual([1, 2])
    expect(trim?.cuts.map((cut) => [cut.request, cut.before - cut.after])).toEqual([
      [1, 12],
      [2, 1900],
    ])
    expect(others.map(({ edits }) => edits.length)).toEqual([1])
  })

  test('reports small cuts once they are large together', () => {
    const made = Array.from({ length: 12 }, (_, at) => request(10_000, edit(at, 60, 10)))
    expect(trimsOf(...made).map(({ request: at, cuts }) => [at, cuts.length])).toEqual([
      [4, 5],
      [9, 5],
    ])
  })

  test('reports an exclusion by the user at once, and no restored content', () => {
    const made = [request(10_000, edit(1, 20, 8)), request(9990, edit(2, 10, 0, 'exclude'))]
    expect(trimsOf(...made).map(({ request: at, edits }) => [at, edits.length])).toEqual([[1, 1]])
    const back = { ...request(9000, edit(3, 2000, 100)), dropped: ['1.0'] }
    expect(trimsOf(made[0] as SentRequest, back).map(({ cuts }) => cuts.length)).toEqual([1])
  })

  test('reports an exclusion by the user apart from what the policy shortens in the same request', () => {
    const excluded = [edit(1, 300, 0, 'exclude'), edit(2, 1700, 0, 'exclude')]
    const made = [
      { ...request(12_000), cached: 11_000 },
      { ...request(9000, ...excluded, edit(3, 1000, 10)), cached: 4000 },
    ]
    const [first, second, ...others] = trimsOf(...made)
    expect(others).toEqual([])
    expect(first).toMatchObject({ by: 'user', before: 11_990, after: 9990, edits: excluded })
    expect(second).toMatchObject({ by: 'policy', before: 9990, after: 9000, edits: [{ message: 3 }] })
    // The exclusion pays for the rewritten cache; what goes along with it only saves.
    expect(first && trimPrice(made, first)).toBeGreaterThan(0)
    expect(second && trimPrice(made, second)).toBe(0)
    const rows = rowsOf({
      history: readMessages([{ role: 'user', content: 'x' }]),
      requests: made,
      trims: trimsOf(...made),
      notes: [],
    })
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  test('reports trims whose price includes all their cuts (trimPrice)', () => {
    const made = [
      { ...request(10_000), cached: 0 },
      { ...request(10_000, edit(1, 80, 30)), cached: 1000 },
      { ...request(9000, edit(2, 2000, 100)), cached: 9000 },
    ]
    const [trim] = trimsOf(...made)
    const [first, last] = trim?.cuts ?? []
    if (trim === undefined || first === undefined || last === undefined) throw new Error('two cuts were made')
    const only = (cut: typeof first) => trimPrice(made, { ...trim, cuts: [cut] })
    expect(only(last)).toBe(0)
    expect(only(first)).toBeGreaterThan(trimPrice(made, trim))
    expect(trimPrice(made, trim)).toBeGreaterThan(0)
  })
})
