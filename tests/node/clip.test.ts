import { project, TrimtabError } from 'trimtab'
import { describe, expect, test } from 'vitest'

const step = (content: string, name = 'bash') => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{"command":"npm test"}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content },
]
const shown = (content: string, clip: object | true = true, name = 'bash') =>
  project(step(content, name), { clip }).messages[1]?.content as string

describe('the clip pass', () => {
  const log = Array.from({ length: 900 }, (_, i) => `line ${i} of the build\n`).join('')

  test('keeps the first and last 2,000 characters of output over 10,000, and states its full size', () => {
    expect(log.length).toBeGreaterThan(10_000)
    const marker = `\n\n... [truncated: ${log.length.toLocaleString('en-US')} chars total, 900 lines] ...\n\n`
    expect(shown(log)).toBe(log.slice(0, 2000) + marker + log.slice(-2000))
  })

  test('keeps short output, other tools, and output that would not become half as long', () => {
    expect(shown(log.slice(0, 10_000))).toBe(log.slice(0, 10_000))
    expect(shown(log, true, 'read_file')).toBe(log)
    expect(shown(log, { tools: ['read_file'] }, 'read_file')).not.toBe(log)
    expect(shown('x'.repeat(210), { max: 200, head: 50, tail: 50 })).toBe('x'.repeat(210))
  })

  test('cuts between grapheme clusters', () => {
    const families = '👨‍👩‍👧'.repeat(3000)
    const [head, , tail] = shown(families, { max: 1000, head: 100, tail: 100 }).split('\n\n') as [
      string,
      string,
      string,
    ]
    expect(head).toBe('👨‍👩‍👧'.repeat(12))
    expect(tail).toBe('👨‍👩‍👧'.repeat(12))
  })

  test('does not clip a result twice, also after a JSON round trip', () => {
    const once = project(step(log), { clip: true }).messages
    expect(project(JSON.parse(JSON.stringify(once)), { clip: true }).messages).toEqual(once)
  })

  test('refuses a head or tail longer than half of the limit', () => {
    expect(() => shown(log, { head: 6000 })).toThrow(TrimtabError)
  })
})
