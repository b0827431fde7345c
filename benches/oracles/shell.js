// Functions of shell scripts, by unbash.
import { parse } from 'unbash'

const lineOf = (content, offset) => content.slice(0, offset).split('\n').length

export function byUnbash({ content }) {
  let script
  try {
    script = parse(content)
  } catch {
    return undefined
  }
  if (script.errors?.length > 0) return undefined
  const found = []
  const walk = (node, rank) => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const each of node) walk(each, rank)
      return
    }
    if (node.type === 'Function') {
      found.push({ name: node.name.value ?? node.name.text, line: lineOf(content, node.pos), rank })
      return
    }
    for (const value of Object.values(node)) walk(value, rank)
  }
  walk(script.commands, 'top')
  return found
}
