/**
 * Replaces the package's module with the inlined bytes of the files engine: the page calls `startFiles`
 * before anything needs it.
 */
export function withFiles(): never {
  throw new Error('the engine for files was not started')
}
