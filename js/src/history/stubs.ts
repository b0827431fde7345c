/** The objects that projections made, so that a stub is known as one and never by its text. */
const made = new WeakSet<object>()

/** Notes that this object stands where one of the host's stood, with its content replaced. */
export function markStub(holder: object): void {
  made.add(holder)
}

/** Whether a projection of this process made this object. */
export function isStub(value: unknown): boolean {
  return typeof value === 'object' && value !== null && made.has(value)
}
