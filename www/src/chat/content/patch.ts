/**
 * Makes the children of an element those of another, and changes only what differs: while an answer streams, the
 * browser lays out what was added, and not all of a long list again. Code that was highlighted keeps its colours.
 */
export function patchChildren(element: Node, wanted: Node): void {
  let before = element.firstChild
  for (const next of [...wanted.childNodes]) {
    const after: ChildNode | null = before?.nextSibling ?? null
    if (before === null) element.appendChild(next)
    else if (!before.isEqualNode(next)) patch(before, next)
    before = after
  }
  while (before !== null) {
    const after: ChildNode | null = before.nextSibling
    before.remove()
    before = after
  }
}

function patch(before: ChildNode, next: ChildNode): void {
  if (before instanceof Text && next instanceof Text) before.data = next.data
  else if (isSameElement(before, next)) patchElement(before, next)
  else before.replaceWith(next)
}

/** Whether two elements differ only in their children. */
const isSameElement = (one: Node, other: Node): boolean =>
  one instanceof Element &&
  other instanceof Element &&
  one.cloneNode(false).isEqualNode(other.cloneNode(false))

function patchElement(before: ChildNode, next: ChildNode): void {
  if (before.nodeName !== 'CODE' || !growTo(before, next.textContent ?? '')) patchChildren(before, next)
}

/** Appends to code what it lacks of a text that continues it; returns whether it does. */
function growTo(code: Node, text: string): boolean {
  const shown = code.textContent ?? ''
  if (text.startsWith(shown)) {
    if (text !== shown) append(code, text.slice(shown.length))
    return true
  }
  // Code always ends with a line feed, also in the middle of a line that streams.
  const last = code.lastChild
  const open = shown.slice(0, -1)
  if (!(last instanceof Text) || !last.data.endsWith('\n') || !text.startsWith(open)) return false
  last.replaceData(last.length - 1, 1, text.slice(open.length))
  return true
}

function append(element: Node, text: string): void {
  if (element.lastChild instanceof Text) element.lastChild.appendData(text)
  else element.appendChild(document.createTextNode(text))
}
