type Attributes = Readonly<Record<string, string | number>>

const SVG = 'http://www.w3.org/2000/svg'

/** Creates an HTML element. Strings become text nodes: text of a session is never parsed as markup. */
export function h(name: string, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElement {
  return filled(document.createElement(name), attributes, children)
}

/** Creates an SVG element. */
export function s(name: string, attributes: Attributes = {}, ...children: Node[]): SVGElement {
  return filled(document.createElementNS(SVG, name) as SVGElement, attributes, children)
}

function filled<E extends Element>(element: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

/** Formats a number of tokens: `950`, `12.3k`, `1.2M`. */
export function short(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens))
  const [value, unit] = tokens < 999_500 ? [tokens / 1000, 'k'] : [tokens / 1e6, 'M']
  return `${value.toFixed(value < 99.95 ? 1 : 0).replace(/\.0$/, '')}${unit}`
}
