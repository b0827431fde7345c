// Writes docs/reference/policy.md from the JSON Schema generated from the engine's declaration.
import { readFileSync } from 'node:fs'
import { at } from '../project.mjs'

const refName = (ref) => ref.replace('#/$defs/', '')
const anchor = (name) => `[${name}](#${name.toLowerCase()})`
const isNull = (schema) => schema.type === 'null'

/** Describes a setting's type, with links to the types it names. */
function typeOf(schema) {
  if (schema.$ref) return anchor(refName(schema.$ref))
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  const options = schema.anyOf ?? schema.oneOf
  if (options)
    return options
      .filter((each) => !isNull(each))
      .map(typeOf)
      .join(' or ')
  if (Array.isArray(schema.type))
    return schema.type
      .filter((type) => type !== 'null')
      .map((type) => typeOf({ ...schema, type }))
      .join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`
  return schema.type === 'integer' ? 'whole number' : (schema.type ?? 'any value')
}

const oneLine = (text = '') => text.replace(/\s+/g, ' ').trim()
const rangeOf = ({ minimum, maximum }) =>
  [minimum !== undefined && `at least ${minimum}`, maximum !== undefined && `at most ${maximum}`]
    .filter(Boolean)
    .join(', ')

function setting([name, schema]) {
  const fallback = schema.default === undefined ? '' : `, default \`${JSON.stringify(schema.default)}\``
  const range = rangeOf(schema) === '' ? '' : `, ${rangeOf(schema)}`
  return `- **\`${name}\`**: ${typeOf(schema)}${range}${fallback}. ${oneLine(schema.description)}`
}

function definition([name, schema]) {
  const values = schema.oneOf ?? (schema.enum ? schema.enum.map((value) => ({ const: value })) : [])
  const fields = Object.entries(schema.properties ?? {}).map(setting)
  const choices = values.map((each) => `- ${typeOf(each)}: ${oneLine(each.description)}`)
  return [`## ${name}`, oneLine(schema.description), [...fields, ...choices].join('\n')]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** @returns {Map<string, string>} path to content */
export function policyReference() {
  const schema = JSON.parse(readFileSync(at('js/src/generated/policy.schema.json'), 'utf8'))
  const head = `<!-- Written by \`npm run docs\` from the JSON Schema: edit the doc comments of the Rust declaration. -->

# Every setting of a policy

${oneLine(schema.description)}

A missing field is off. \`true\` turns a pass on with its defaults. As a JSON Schema: \`trimtab/policy.schema.json\`.
[Policies](../guides/policies.md) describes each pass.`
  const body = [
    Object.entries(schema.properties).map(setting).join('\n'),
    ...Object.entries(schema.$defs).map(definition),
  ]
  return new Map([['docs/reference/policy.md', `${head}\n\n${body.join('\n\n')}\n`]])
}
