/** Returns an error's message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
