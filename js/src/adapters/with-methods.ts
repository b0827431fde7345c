/**
 * The same object with some methods of its own. Whatever else is asked of it is the object's, and runs on the object itself, whose
 * private fields it may need.
 */
export function withMethods<T extends object>(object: T, methods: { readonly [K in keyof T]?: unknown }): T {
  // Not the object itself: of a frozen one a proxy could change nothing.
  const shell = Object.create(Object.getPrototypeOf(object) as object | null) as T
  return new Proxy(shell, {
    get(_, key) {
      if (Object.hasOwn(methods, key)) return methods[key as keyof T]
      const value: unknown = Reflect.get(object, key)
      return typeof value === 'function' ? value.bind(object) : value
    },
    has: (_, key) => Reflect.has(object, key),
    set: (_, key, value) => Reflect.set(object, key, value),
  })
}
