/**
 * Maps converted objects to the host's objects, so that unedited ones are returned as the original objects.
 */
export class Originals {
  readonly #objects = new WeakMap<object, object>()

  /** Records the original of a converted object, and returns the converted object. */
  keep<T extends object>(original: object, converted: T): T {
    this.#objects.set(converted, original)
    return converted
  }

  of(converted: unknown): object | undefined {
    return typeof converted === 'object' && converted !== null ? this.#objects.get(converted) : undefined
  }

  /** Replaces the converted objects in a list with their originals. */
  ofParts(parts: unknown): unknown {
    return Array.isArray(parts) ? parts.map((part: unknown) => this.of(part) ?? part) : parts
  }
}
