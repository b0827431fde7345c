// Converts a conversation to the AI SDK's `ModelMessage[]`.

const namesById = (messages) =>
  new Map(messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name])))

function convert(message, names) {
  const { role, content, tool_calls, tool_call_id } = message
  if (role === 'tool') {
    const output = { type: 'text', value: content }
    const toolName = names.get(tool_call_id)
    return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName, output }] }
  }
  if (role !== 'assistant') return { role, content }
  const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: JSON.parse(json),
  }))
  return { role, content: [{ type: 'text', text: content }, ...calls] }
}

/** @param {readonly object[]} messages a history of history.js */
export function toModelMessages(messages) {
  const names = namesById(messages)
  return messages.map((message) => convert(message, names))
}
