/**
 * Creates and finds elements. Session content enters the page only as text nodes: no function here accepts
 * markup.
 */
type Child = Node | string | null | false

interface Props {
  class?: string
  attrs?: Record<string, string | number | boolean | null>
  on?: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }>
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  if (props.class !== undefined) {
    element.className = props.class
  }
  setAttributes(element, props.attrs ?? {})
  for (const [type, listener] of Object.entries(props.on ?? {})) {
    element.addEventListener(type, listener as EventListener)
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false))
  return element
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attrs: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  setAttributes(element, attrs)
  element.append(...children)
  return element
}

function setAttributes(element: Element, attrs: Record<string, string | number | boolean | null>): void {
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
}

/**
 * Returns the element with this id.
 *
 * @throws Error if the page's markup lacks it or it has another type
 */
export function byId<T extends Element>(id: string, type: { new (): T; prototype: T }): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) {
    throw new Error(`the page has no ${type.name} with id ${id}`)
  }
  return element
}

/** Returns a function that runs `work` once before the next paint, however often it is called. */
export function oncePerFrame(work: () => void): () => void {
  let asked = false
  return () => {
    if (asked) {
      return
    }
    asked = true
    requestAnimationFrame(() => {
      asked = false
      work()
    })
  }
}

/** Resolves when all changes so far have been painted. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}

/** Width, in pixels, of the column left of the chart, the slider and the bars; set in the style sheet. */
export function gutterWidth(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--gutter')) || 0
}
