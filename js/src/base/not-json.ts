const NOT_JSON = [Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer, Error, String, Number, Boolean]

/** Whether an object of the host has its content in no field: a `Blob`, a `Response`, a stream. */
const isOpaque = (value: object) =>
  Object.keys(value).length === 0 && Object.prototype.toString.call(value) !== '[object Object]'

/** Whether an object's JSON would not have its content: a `Map`, an `Error`, bytes. */
export const isNotJson = (value: object): boolean =>
  ArrayBuffer.isView(value) || NOT_JSON.some((type) => value instanceof type) || isOpaque(value)
