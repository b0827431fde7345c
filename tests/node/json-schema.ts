/** The part of JSON Schema (draft 2020-12) that the policy's schema uses. Any other keyword is an error. */
export interface Schema {
  [keyword: string]: unknown
}

const NOTES = ['$schema', '$defs', 'title', 'description', 'default']

/** Places and reasons where a value violates a schema; empty if it is valid. */
export function violations(value: unknown, schema: Schema | boolean, root = schema, path = ''): string[] {
  if (typeof schema === 'boolean') return schema ? [] : [`${path}: not allowed`]
  return Object.entries(schema).flatMap(([keyword, argument]) => {
    if (NOTES.includes(keyword)) return []
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`unknown keyword ${keyword}`)
    return check(
      value,
      argument as never,
      (inner, its, at) => violations(inner, its, root, path + at),
      schema,
      root,
    ).map((reason) => (reason.startsWith('/') ? reason : `${path}/ ${keyword}: ${reason}`))
  })
}

type Check = (
  value: unknown,
  argument: never,
  inner: (value: unknown, schema: Schema, at: string) => string[],
  schema: Schema,
  root: Schema | boolean,
) => string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}

const unless = (isFine: boolean, reason: string) => (isFine ? [] : [reason])

const KEYWORDS: Record<string, Check> = {
  type: (value, types: string | string[]) =>
    unless(
      typeOf(value).some((type) => [types].flat().includes(type)),
      `${typeOf(value)[0]} is not ${types}`,
    ),
  enum: (value, values: unknown[]) => unless(values.includes(value), `${value} is none of ${values}`),
  const: (value, only: unknown) => unless(value === only, `${value} is not ${only}`),
  minimum: (value, least: number) =>
    unless(typeof value !== 'number' || value >= least, `${value} < ${least}`),
  maximum: (value, most: number) => unless(typeof value !== 'number' || value <= most, `${value} > ${most}`),
  minLength: (value, least: number) =>
    unless(typeof value !== 'string' || [...value].length >= least, 'too short'),
  maxLength: (value, most: number) =>
    unless(typeof value !== 'string' || [...value].length <= most, 'too long'),
  required: (value, names: string[]) =>
    unless(!isObject(value) || names.every((name) => Object.hasOwn(value, name)), `needs ${names}`),
  items: (value, schema: Schema, inner) =>
    Array.isArray(value) ? value.flatMap((entry, i) => inner(entry, schema, `/${i}`)) : [],
  properties: (value, schemas: Record<string, Schema>, inner) =>
    isObject(value)
      ? Object.entries(schemas).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? inner(value[name], schema, `/${name}`) : [],
        )
      : [],
  additionalProperties: (value, schema: Schema, inner, { properties }) =>
    isObject(value)
      ? Object.keys(value)
          .filter((name) => !Object.hasOwn((properties as object) ?? {}, name))
          .flatMap((name) => inner(value[name], schema, `/${name}`))
      : [],
  anyOf: (value, schemas: Schema[], inner) => {
    const found = schemas.map((schema) => inner(value, schema, ''))
    return found.some((list) => list.length === 0)
      ? []
      : ([...found].sort((a, b) => b.length - a.length)[0] ?? [])
  },
  oneOf: (value, schemas: Schema[], inner) =>
    unless(schemas.filter((schema) => inner(value, schema, '').length === 0).length === 1, 'not exactly one'),
  $ref: (value, pointer: string, inner, _, root) => {
    const names = pointer.replace('#/', '').split('/')
    const found = names.reduce<unknown>((at, name) => (at as Schema)[name], root)
    return inner(value, found as Schema, '')
  },
}
