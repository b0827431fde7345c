// What a file holds is read back, or named when the file is written.
import type { Format } from 'trimtab'
import { readTranscript, type WritableKind, writeTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'

const lostIn = (messages: object[], kind: WritableKind, format: Format) =>
  writeTranscript(messages, { kind, format }).lost.map(({ what }) => what)
const readBack = (messages: object[], kind: WritableKind, format: Format) =>
  readTranscript(writeTranscript(messages, { kind, format }).text)

const user = (content: string) => ({ role: 'user', content })
const answer = { role: 'assistant', content: [{ type: 'text', text: 'x' }] }
const searched = {
  role: 'assistant',
  content: [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
  ],
}

describe.each(['anthropic-messages', 'saved-session'] as const)(
  'instructions in a conversation: %s',
  (kind) => {
    const system = { role: 'system', content: 'Be brief.' }
    const directive = { role: 'system', content: [], output_config: { effort: 'low' } }

    test.each<[string, object[]]>([
      ['before an answer', [user('q'), system, answer, user('go')]],
      ['at the end', [user('q'), answer, user('go'), system, system]],
      ["after a server's result", [user('q'), searched, system, answer]],
      ['directives anywhere', [user('q'), answer, directive, user('go')]],
    ])('stay in their place: %s', (_, messages) => {
      const read = readBack(messages, kind, 'anthropic')
      expect(read.messages).toEqual(messages)
      expect(read).not.toHaveProperty('system')
      expect(read.skipped).toEqual([])
    })

    test.each<[string, object[]]>([
      ['at the start', [system, user('q'), answer]],
      ['before the user', [user('q'), answer, system, user('go')]],
    ])('are the system prompt where Anthropic takes none: %s', (_, messages) => {
      const read = readTranscript(JSON.stringify({ format: 'anthropic', messages }))
      expect(read.system).toBe('Be brief.')
      expect(read.messages).toEqual(messages.filter((message) => message !== system))
    })
  },
)

test('SWE-agent: fields of chat messages are read back, and others are named', () => {
  const cited = [{ type: 'url_citation', url_citation: { url: 'https://c', title: 'C' } }]
  const messages = [
    { role: 'user', name: 'ana', content: 'q' },
    { role: 'assistant', content: 'x', reasoning_content: 'Hm.', annotations: cited },
    user('go'),
    { role: 'assistant', content: null, refusal: 'I will not.' },
  ]
  expect(lostIn(messages, 'swe-agent', 'openai-chat')).toEqual([])
  expect(readBack(messages, 'swe-agent', 'openai-chat').messages).toEqual(messages)
  const other = [user('q'), { role: 'assistant', content: 'x', mood: { good: true } }]
  expect(lostIn(other, 'swe-agent', 'openai-chat')).toEqual([
    'field "mood" of a message (for SWE-agent only: not read back)',
  ])
})

test('Codex: reasoning and images in results, which are not read back, are named', () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }
  const messages = [
    user('q'),
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'E',
    },
    { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'this' }, image] },
  ]
  const { lost, text } = writeTranscript(messages, { kind: 'codex', format: 'openai-responses' })
  expect(lost).toEqual([
    { index: 1, what: 'reasoning (for Codex only: not read back)' },
    // With the answer that it belongs to.
    { index: 1, what: 'image in a result (for Codex only: not read back)' },
  ])
  expect(text).toContain('"encrypted_content":"E"')
  expect(text).toContain('iVBORw0KGgo=')
})

test('Codex: a refusal is written as text, the only form that it reads', () => {
  const messages = [user('q'), { role: 'assistant', content: null, refusal: 'I will not.' }]
  expect(lostIn(messages, 'codex', 'openai-chat')).toEqual(['form of a refusal (now text)'])
  expect(readBack(messages, 'codex', 'openai-chat').messages).toEqual([
    user('q'),
    { role: 'assistant', content: 'I will not.' },
  ])
})
