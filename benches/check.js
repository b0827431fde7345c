// Rivals are comparable only if they do the same work: the plain loop must make trimtab's edits, text by text.

/** Returns the edits that turn `messages` into `view`: position and text of each. */
function editsOf(messages, view) {
  if (view.length !== messages.length) throw new Error(`${messages.length} messages became ${view.length}`)
  const texts = view.map((message, index) =>
    message === messages[index] ? undefined : [index, message.content],
  )
  return texts.filter((edit) => edit !== undefined)
}

/**
 * Fails unless all views of `messages` have the same edits, and enough of them to be meaningful.
 *
 * @param {Record<string, readonly object[]>} views by name of the rival
 * @returns number of edits
 */
export function checkSameEdits(messages, views) {
  const [[firstName, first], ...others] = Object.entries(views).map(([name, view]) => [
    name,
    editsOf(messages, view),
  ])
  if (first.length < messages.length / 20)
    throw new Error(`only ${first.length} edits of ${messages.length} messages`)
  for (const [name, edits] of others) {
    const at = first.findIndex((edit, i) => String(edit) !== String(edits[i]))
    if (at >= 0 || edits.length !== first.length) {
      const shown = JSON.stringify({
        [firstName]: first[at] ?? null,
        [name]: edits[at < 0 ? first.length : at] ?? null,
      })
      throw new Error(
        `${firstName} makes ${first.length} edits, ${name} ${edits.length}; first difference: ${shown}`,
      )
    }
  }
  return first.length
}
