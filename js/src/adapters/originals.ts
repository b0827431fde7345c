/** Which object of the host's a converted one was made of: what was not edited goes back as the object that it was. */
export class Originals {
  readonly #objects = new WeakMap<object, object>()

  /** Remembers it, and gives the converted one. */
  keep<T extends object>(original: object, converted: T): T {
    this.#objects.set(converted, original)
    return converted
  }

  of(converted: unknown): object | undefined {
    return typeof converted === 'object' && converted !== null ? this.#objects.get(converted) : undefined
  }

  /** A list of which some are converted ones. */
  ofParts(parts: unknown): unknown {
    return Array.isArray(parts) ? parts.map((part: unknown) => this.of(part) ?? part) : parts
  }
}
