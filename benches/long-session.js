/**
 * A synthetic session: an OpenAI message array in which each step reads a file or runs a command, and gets a result.
 * Also runs inside a page, so it uses nothing from outside the function.
 *
 * @param {number} steps number of steps
 * @param {number} lines lines per result
 * @returns {object[]}
 */
export function longSession(steps, lines) {
  const messages = [{ role: 'system', content: 'You are a coding agent.' }]
  for (let i = 0; i < steps; i++) {
    const id = `call_${i}`
    const isRead = i % 3 !== 0
    const name = isRead ? 'read_file' : 'bash'
    const args = isRead ? { path: `src/file${i % 40}.ts` } : { command: `npm test ${i}` }
    const body = Array.from(
      { length: lines },
      (_, line) => `${name} ${i} line ${line}: some text of a result`,
    )
    const called = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    messages.push(
      { role: 'user', content: `Request ${i}` },
      { role: 'assistant', content: `Step **${i}** follows, with \`code\`.`, tool_calls: [called] },
      { role: 'tool', tool_call_id: id, content: body.join('\n') },
    )
  }
  return messages
}
