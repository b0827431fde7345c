/**
 * More marks over one letter than any script has. A browser takes a square of time to lay them out: ten thousand take
 * half a second, a hundred thousand a minute.
 */
const TOWER = /(\p{M}{32})\p{M}+/gu

/** Returns a text with at most 32 combining marks in a row. */
export const withoutTowers = (text: string): string => text.replace(TOWER, '$1…')
