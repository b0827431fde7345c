/** Sessions made up for the tests, as files that the page reads. */

/** An OpenAI message array: each step reads a file or runs a command, and gets so many lines back. */
export function longSession(steps: number, lines = 30): string {
  const messages: object[] = [{ role: 'system', content: 'You are a coding agent.' }]
  for (let i = 0; i < steps; i++) {
    const id = `call_${i}`
    const isRead = i % 3 !== 0
    const name = isRead ? 'read_file' : 'bash'
    const args = isRead ? { path: `src/file${i % 40}.ts` } : { command: `npm test ${i}` }
    const body = Array.from(
      { length: lines },
      (_, line) => `${name} ${i} line ${line}: some text of a result`,
    )
    messages.push(
      { role: 'user', content: `Request ${i}` },
      {
        role: 'assistant',
        content: `Step ${i} follows.`,
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: id, content: body.join('\n') },
    )
  }
  return JSON.stringify(messages)
}

/** A session that tries to run something wherever the page shows text of it. */
export function hostileSession(): { text: string; markup: string } {
  const markup = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
  const result = `${markup}\n${'filler '.repeat(900)}`
  const messages: object[] = [{ role: 'user', content: markup }]
  for (let i = 0; i < 8; i++) {
    const args = JSON.stringify({ path: `${markup}${i}.ts`, command: markup })
    messages.push(
      {
        role: 'assistant',
        content: markup,
        tool_calls: [
          { id: `${markup}${i}`, type: 'function', function: { name: `read${markup}`, arguments: args } },
        ],
      },
      { role: 'tool', tool_call_id: `${markup}${i}`, content: result },
    )
  }
  return { text: JSON.stringify(messages), markup }
}
