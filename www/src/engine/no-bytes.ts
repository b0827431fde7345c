/** In the place of the package's module with the bytes of the engine for files: `startFiles` comes before whatever needs it. */
export function withFiles(): never {
  throw new Error('the engine for files was not started')
}
