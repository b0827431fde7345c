import { inspect } from 'trimtab'
import { expect, test } from 'vitest'

test('inspect shows the intent of an edit, on the call and on its result', () => {
  const edit = (id: string, args: object | string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id,
          type: 'function',
          function: { name: 'edit_file', arguments: typeof args === 'string' ? args : JSON.stringify(args) },
        },
      ],
    },
    { role: 'tool', tool_call_id: id, content: 'Edited a.py' },
  ]
  const intent = 'Increase tool result retention for better context'
  const { blocks } = inspect([
    ...edit('a', { file_path: 'a.py', old_str: 'a', new_str: 'b', intent }),
    ...edit('b', { file_path: 'a.py', old_str: 'a', new_str: 'b', intent: '  ' }),
    ...edit('c', { file_path: 'a.py', intent: 3 }),
    ...edit('d', '*** Update File: a.py'),
    ...edit('e', { intent: 'x'.repeat(500) }),
  ])
  const intents = blocks.map((block) => block.intent)
  expect(intents.slice(0, 8)).toEqual([intent, intent, null, null, null, null, null, null])
  expect(intents[8]?.length).toBeLessThan(130)
})
