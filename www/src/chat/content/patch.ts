/**
 * Makes the children of an element those of another, and changes only what differs: while an answer streams, the
 * browser lays out what was added, and not all of a long list again. The code of a block that was highlighted stays.
 */
export function patchChildren(element: Node, wanted: Node): void {
  let before = element.firstChild
  for (const next of [...wanted.childNodes]) {
    const after: ChildNode | null = before?.nextSibling ?? null
    if (before === null) element.appendChild(next)
    else if (!before.isEqualNode(next) && !isSameCode(before, next)) patch(before, next)
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
  else if (isSameElement(before, next)) patchChildren(before, next)
  else before.replaceWith(next)
}

/** Whether two elements differ only in their children. */
const isSameElement = (one: Node, other: Node): boolean =>
  one instanceof Element &&
  other instanceof Element &&
  one.cloneNode(false).isEqualNode(other.cloneNode(false))

const isSameCode = (one: Node, other: Node): boolean =>
  one.nodeName === 'CODE' && isSameElement(one, other) && one.textContent === other.textContent
