import { TrimtabError } from './error.js'
import { checkKeys } from './nearest.js'
import { shown } from './refuse.js'

/** What a setting of a file that people write may be. */
type SettingKind = 'switch' | 'count' | 'text' | 'texts'

/** The settings of a shape, by name. */
export type Shape = Readonly<Record<string, SettingKind>>

const CHECKS: Record<SettingKind, { is(value: unknown): boolean; words: string }> = {
  switch: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  count: {
    is: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffffffff,
    words: 'a whole number from 0 on',
  },
  text: { is: (value) => typeof value === 'string', words: 'a text' },
  texts: {
    is: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    words: 'a list of texts',
  },
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Refuses settings that are not of a shape: an unknown key, a value of another kind.
 *
 * @param where What the settings are called in messages.
 */
export function checkSettings(value: unknown, shape: Shape, where: string): asserts value is object {
  if (!isObject(value)) {
    throw new TrimtabError(
      'invalid_policy',
      `${where} must be an object of settings, found ${shown(value)}`,
      {
        argument: where,
      },
    )
  }
  checkKeys(value, Object.keys(shape), where, 'invalid_policy')
  for (const [key, setting] of Object.entries(value)) {
    const check = CHECKS[shape[key] as SettingKind]
    if (check.is(setting)) continue
    const message = `${where}: \`${key}\` must be ${check.words}, found ${shown(setting)}`
    throw new TrimtabError('invalid_policy', message, { argument: key })
  }
}
