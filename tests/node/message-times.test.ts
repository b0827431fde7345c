import { expect, test } from 'vitest'
import { timeOf } from '../../js/dist/history/message-times.js'

test.each([
  ['1972-01-01T00:00:00.000Z', 63_072_000_000],
  [new Date(63_072_000_000), 63_072_000_000],
  [new Date(5), 5],
  [1_700_000_000, 1_700_000_000_000],
  [1_700_000_000_123, 1_700_000_000_123],
  ['2024-01-01T00:00:00Z', 1_704_067_200_000],
  ['yesterday', undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [true, undefined],
  [{}, undefined],
])('the time of a message with the timestamp %o is %o', (timestamp, expected) => {
  expect(timeOf({ timestamp })).toBe(expected)
})
