import { type BlockFacts, cacheAware, smartRetention } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { blockTexts } from '../../www/src/block-text.js'
import { blockLabel, categoryOf, placeOf } from '../../www/src/kinds.js'
import { readSession } from '../../www/src/reading.js'
import {
  INITIAL_SETTINGS,
  PRESETS,
  presetOf,
  toPolicy,
  wholeNumber,
  withChange,
  withPreset,
} from '../../www/src/settings.js'
import { messageFiles } from '../transcripts/files.js'

const utf8 = (text: string) => new TextEncoder().encode(text).length

describe('blockTexts', () => {
  const kinds = (...list: BlockFacts['kind'][]) => list.map((kind) => ({ kind }))

  test('returns text, call arguments and results of openai-chat', () => {
    const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }
    const assistant = { role: 'assistant', content: 'Reading.', tool_calls: [call] }
    expect(blockTexts(assistant, kinds('text', 'tool-call'), 'openai-chat')).toEqual([
      'Reading.',
      '{"path":"a.ts"}',
    ])
    const result = {
      role: 'tool',
      tool_call_id: 'c',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }
    expect(blockTexts(result, kinds('tool-result'), 'openai-chat')).toEqual(['one\ntwo'])
  })

  test('returns thinking, texts, calls and results of anthropic in order', () => {
    const assistant = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'First' },
        { type: 'tool_use', id: '1', name: 'read', input: { path: 'a' } },
        { type: 'text', text: 'Second' },
      ],
    }
    expect(blockTexts(assistant, kinds('reasoning', 'text', 'tool-call', 'text'), 'anthropic')).toEqual([
      'Hm.',
      'First',
      '{"path":"a"}',
      'Second',
    ])
    const user = { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'text of a' }] }
    expect(blockTexts(user, kinds('tool-result'), 'anthropic')).toEqual(['text of a'])
  })

  test('returns the type of a file, not its bytes', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    expect(blockTexts({ role: 'user', content: [image] }, kinds('file'), 'anthropic')).toEqual([
      '[image: image/png]',
    ])
  })

  test.each(messageFiles())(
    'returns for every block of $name the text that the engine measured',
    ({ name, text }) => {
      const session = readSession(name, text)
      const shown = session.messages.flatMap((message, index) => {
        const facts = session.blocks.slice(session.firstBlock[index], session.firstBlock[index + 1])
        const texts = blockTexts(message, facts, session.format)
        return facts.map((fact, i) => ({ kind: fact.kind, bytes: fact.bytes, text: texts[i] ?? '' }))
      })
      // The text shown has the size that the engine measured.
      for (const { bytes, kind, text: own } of shown) {
        if (kind === 'text' || kind === 'tool-result') expect([own, utf8(own)]).toEqual([own, bytes])
        if (kind === 'tool-call') expect(own).toMatch(/^(?:\{.*\}|\*\*\* Begin Patch.*)$/s)
        if (kind === 'file') expect(own).toMatch(/^\[\w+(?:: image\/png)?\]$/)
      }
      const all = shown.map((block) => block.text).join('\n')
      for (const part of ['Which kiln is hot?', 'North is hot.']) expect(all).toContain(part)
    },
  )

  test('returns what can be read of arguments that are not JSON and of malformed messages', () => {
    const call = { id: 'c', function: { name: 'x', arguments: '*** Begin Patch' } }
    expect(blockTexts({ role: 'assistant', tool_calls: [call] }, kinds('tool-call'), 'openai-chat')).toEqual([
      '*** Begin Patch',
    ])
    expect(blockTexts({ role: 'user', content: 7 }, kinds('text'), 'openai-chat')).toEqual([''])
    const cyclic: Record<string, unknown> = { type: 'odd' }
    cyclic.self = cyclic
    expect(blockTexts({ role: 'user', content: [cyclic] }, kinds('unknown'), 'anthropic')).toEqual([
      '(cannot be shown)',
    ])
  })
})

describe('labels of blocks', () => {
  const block = { role: 'tool', kind: 'tool-result', origin: 'write' } as const

  test('give a result the colour category of its call (categoryOf)', () => {
    expect(categoryOf(block)).toBe('edit')
    expect(categoryOf({ ...block, origin: 'list' })).toBe('search')
    expect(categoryOf({ ...block, origin: null })).toBe('result')
    expect(categoryOf({ role: 'user', kind: 'file', origin: null })).toBe('other')
    expect(blockLabel(block)).toBe('write result')
  })

  test('state a path with its lines, or a command (placeOf)', () => {
    const place = { path: 'a.ts', startLine: 3, endLine: 9, command: null }
    expect(placeOf(place)).toBe('a.ts:3–9')
    expect(placeOf({ ...place, endLine: null })).toBe('a.ts:3–')
    expect(placeOf({ ...place, startLine: null })).toBe('a.ts')
    expect(placeOf({ path: null, startLine: null, endLine: null, command: 'ls' })).toBe('ls')
  })
})

describe('settings', () => {
  test('begin with the preset cache-aware', () => {
    expect(presetOf(INITIAL_SETTINGS)).toBe('cache-aware')
  })

  test('of each preset are recognised as that preset', () => {
    for (const { id } of PRESETS) {
      expect(presetOf(withPreset(INITIAL_SETTINGS, id))).toBe(id)
    }
  })

  test('are custom after a change, and a preset resets them', () => {
    const rolling = withPreset(INITIAL_SETTINGS, 'rolling')
    const custom = { ...rolling, maxToolOutputAge: 9, excludeTools: ['read'] }
    expect(presetOf(custom)).toBe('custom')
    expect(toPolicy(custom)).toEqual({
      age: {
        maxToolOutputAge: 9,
        maxToolOutputTokens: 2000,
        preserveRecentFiles: true,
        summarizeOnTruncate: false,
        excludeTools: ['read'],
      },
    })
    expect(presetOf(withPreset(custom, 'rolling'))).toBe('rolling')
  })

  test('turn off all passes but ephemeral if retire is turned on, and retire if another is turned on', () => {
    const cacheAwareSettings = withPreset(INITIAL_SETTINGS, 'cache-aware')
    expect(toPolicy(cacheAwareSettings)).toEqual(cacheAware())
    const done = withChange({ ...withPreset(INITIAL_SETTINGS, 'smart') }, { done: true })
    expect(done).toEqual({ ...INITIAL_SETTINGS, rolling: false, ephemeral: true, done: true })
    expect(withChange(done, { ephemeral: false })).toMatchObject({ done: true, ephemeral: false })
    expect(withChange(done, { reads: true })).toMatchObject({ done: false, reads: true })
    expect(withChange(done, { reads: false })).toEqual(done)
  })

  test('give a policy without the passes that are off', () => {
    expect(toPolicy(withPreset(INITIAL_SETTINGS, 'off'))).toEqual({})
    expect(toPolicy(withPreset(INITIAL_SETTINGS, 'ephemeral'))).toEqual({ ephemeral: true })
    const { clearAtLeast: _, recall: __, ...smart } = smartRetention()
    expect(toPolicy(withPreset(INITIAL_SETTINGS, 'smart'))).toEqual(smart)
    expect(toPolicy(withPreset(INITIAL_SETTINGS, 'clear'))).toEqual({
      ephemeral: true,
      clear: { trigger: { type: 'input_tokens', value: 30_000 } },
    })
  })

  test('round entered numbers, and keep them within their limits (wholeNumber)', () => {
    const limits = { min: 0, max: 100 }
    expect(['7', '7.6', '-3', '1e9', '', 'x'].map((text) => wholeNumber(text, limits, 5))).toEqual([
      7, 8, 0, 100, 5, 5,
    ])
  })
})
