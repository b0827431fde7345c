// Generated sessions for the tests, as files that the page reads.
import { longSession as longMessages } from '../../benches/long-session.js'

/** Returns a file with an OpenAI message array: each step reads a file or runs a command, and gets `lines` lines. */
export const longSession = (steps: number, lines = 30): string => JSON.stringify(longMessages(steps, lines))

/** Returns a session that tries to run a script wherever the page shows its text. */
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
