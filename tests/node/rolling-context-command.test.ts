import { TrimtabError } from 'trimtab'
import { createRollingContextCommand, rollingContextPolicy } from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'

const DEFAULTS = {
  enabled: false,
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
}

/** A command whose preference is kept in memory. */
function make(saved?: object) {
  const store = { saved, saves: 0 }
  const command = createRollingContextCommand({
    load: async () => store.saved as never,
    save: async (settings) => {
      store.saved = settings
      store.saves++
    },
  })
  return { command, store }
}

describe('/rolling-context', () => {
  test.each([undefined, {}, { load: () => undefined }])(
    'is refused without a preference: %j',
    (preference) => {
      const refused = { code: 'invalid_option', argument: 'preference' }
      expect(() => createRollingContextCommand(preference as never)).toThrow(expect.objectContaining(refused))
    },
  )

  test.each<[string, object, object]>([
    ['', {}, { enabled: true }],
    ['/rolling-context', { enabled: true }, { enabled: false }],
    ['/rolling-context on', {}, { enabled: true }],
    ['  OFF ', { enabled: true }, { enabled: false }],
    ['age 3', {}, { maxToolOutputAge: 3 }],
    ['/rolling-context tokens 100', { enabled: true }, { enabled: true, maxToolOutputTokens: 100 }],
    ['files off', {}, { preserveRecentFiles: false }],
    ['summaries on', {}, { summarizeOnTruncate: true }],
  ])('runs %j with the saved settings %j', async (input, saved, expected) => {
    const { command, store } = make(saved)
    const { settings, policy } = await command.run(input)
    expect(settings).toEqual({ ...DEFAULTS, ...expected })
    expect(store).toEqual({ saved: settings, saves: 1 })
    expect(policy).toEqual(rollingContextPolicy(settings))
  })

  test.each(['maybe', 'age', 'age x', 'age -1', 'age 3 4', 'files 3', 'tokens 1e3', 'on off'])(
    'answers %j with the usage and changes nothing',
    async (input) => {
      const { command, store } = make()
      const { message, settings } = await command.run(input)
      expect(message).toMatch(/^Usage: \/rolling-context /)
      expect(Math.max(...message.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
      expect([settings, store.saves]).toEqual([DEFAULTS, 0])
    },
  )

  test('reports the current settings', async () => {
    const { command, store } = make()
    const said = async (input: string) => (await command.run(input)).message
    expect(await said('status')).toBe('Rolling context is off: the model sees every tool output.')
    expect(store.saves).toBe(0)
    expect(await said('on')).toBe(
      'Rolling context is on: tool outputs older than 5 steps are cleared, except those of files in use. Of each, a note of at most 2000 tokens stays.',
    )
    expect(await said('age 1')).toContain('older than 1 step are')
    expect(await said('status')).toContain('older than 1 step are')
  })

  test('refuses invalid saved settings', async () => {
    await expect(make({ enable: true }).command.run('status')).rejects.toThrow(TrimtabError)
    await expect(make({ maxToolOutputAge: 'x' }).command.run('on')).rejects.toThrow(/maxToolOutputAge/)
  })
})
