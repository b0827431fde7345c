// Keys, rules and elements of data, style sheets and pages, by parsers from npm.
import { parse as parseHtml } from 'parse5'
import postcss from 'postcss'
import { isMap, LineCounter, parseAllDocuments } from 'yaml'

const top = (name, line) => ({ name, line, rank: 'top' })

export function byJson({ content }) {
  try {
    const value = JSON.parse(content)
    return typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).map((key) => top(key))
      : undefined
  } catch {
    return undefined
  }
}

export function byYaml({ content }) {
  const lines = new LineCounter()
  const documents = parseAllDocuments(content, { lineCounter: lines, uniqueKeys: false })
  if (documents.some(({ errors }) => errors.length > 0)) return undefined
  const maps = documents.map(({ contents }) => contents).filter((map) => isMap(map) && !map.flow)
  const keys = (map, rank) =>
    map.items
      .filter(({ key }) => key?.range)
      .map(({ key }) => ({ name: String(key.value), line: lines.linePos(key.range[0]).line, rank }))
  return maps.flatMap((map) => [
    ...keys(map, 'top'),
    ...map.items
      .filter(({ value }) => isMap(value) && !value.flow)
      .flatMap(({ value }) => keys(value, 'member')),
  ])
}

/** Rules by line: a selector can be written in many ways. */
export function byPostcss({ content }) {
  let root
  try {
    root = postcss.parse(content)
  } catch {
    return undefined
  }
  const isRule = ({ type, nodes }) => (type === 'rule' || type === 'atrule') && nodes !== undefined
  const rule = (node, rank) => ({ name: undefined, line: node.source.start.line, rank })
  return root.nodes
    .filter(isRule)
    .flatMap((node) => [
      rule(node, 'top'),
      ...(/keyframes|font-face/.test(node.name ?? '') ? [] : node.nodes.filter(isRule)).map((inner) =>
        rule(inner, 'member'),
      ),
    ])
}

/** Elements with an id that have both tags and span several lines, by line. */
export function byParse5({ content }) {
  const found = []
  // parse5 also counts a carriage return in a line as a line's end.
  const lineAt = (offset) => content.slice(0, offset).split('\n').length
  const walk = (node) => {
    const at = node.sourceCodeLocation
    const isLong = at?.startTag && at.endTag && at.startLine < at.endLine
    const id = node.attrs?.find(({ name }) => name === 'id')
    if (isLong && id !== undefined) found.push({ name: undefined, line: lineAt(at.startOffset), rank: 'top' })
    for (const child of node.childNodes ?? []) walk(child)
  }
  walk(parseHtml(content, { sourceCodeLocationInfo: true }))
  return found
}
