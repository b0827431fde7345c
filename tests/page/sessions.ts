// Sessions made up for the tests, as files that the page reads.
import { longSession as longMessages } from '../../benches/long-session.js'

/** The file of an OpenAI message array: each step reads a file or runs a command, and gets so many lines back. */
export const longSession = (steps: number, lines = 30): string => JSON.stringify(longMessages(steps, lines))

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
