/** A Chat Completions session with reads, edits of the files read, and commands. */
export function longSession(steps: number): object[] {
  const session: object[] = [{ role: 'user', content: 'Mend the parser.' }]
  for (let n = 0; n < steps; n++) {
    const { name, input, output } = stepOf(n)
    const called = { name, arguments: JSON.stringify(input) }
    session.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${n}`, type: 'function', function: called }],
    })
    session.push({ role: 'tool', tool_call_id: `c${n}`, content: output })
  }
  session.push({ role: 'assistant', content: 'Done.' })
  return session
}

function stepOf(n: number): { name: string; input: object; output: string } {
  const path = `src/f${n % 40}.ts`
  const output = `line ${n} of the output\n`.repeat(30)
  if (n % 5 === 4) {
    const input = { path, old_string: `line ${n - 1} of`, new_string: `line ${n} of` }
    return { name: 'edit_file', input, output: 'ok' }
  }
  if (n % 5 < 2) return { name: 'read_file', input: { path }, output }
  return { name: 'bash', input: { command: `make ${n % 17}` }, output }
}
