import { readable } from '../base/check.js'

/**
 * Returns a proxy of an object with some methods replaced. Everything else runs on the object itself, because
 * it may need its private fields.
 */
export function withMethods<T extends object>(object: T, methods: { readonly [K in keyof T]?: unknown }): T {
  // The proxy's target is not the object: a proxy cannot change the properties of a frozen target.
  const shell = Object.create(readable('request', () => Reflect.getPrototypeOf(object) as object | null)) as T
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
