const LISTS = ['content', 'parts'] as const

/** The field with a message's list of blocks; `undefined` if it has none. */
function fieldOf(message: object): (typeof LISTS)[number] | undefined {
  return LISTS.find((field) => Array.isArray((message as Record<string, unknown>)[field]))
}

/** The list of a message's blocks; `undefined` if it has none. */
export function listOf(message: object): readonly unknown[] | undefined {
  const field = fieldOf(message)
  return field === undefined ? undefined : ((message as Record<string, unknown>)[field] as unknown[])
}

/** Returns the message with another list of blocks. */
export function withList(message: object, change: (list: readonly unknown[]) => readonly unknown[]): object {
  const [field, list] = [fieldOf(message), listOf(message)]
  return field === undefined || list === undefined ? message : { ...message, [field]: change(list) }
}

/** Fields that say what a message is. Others come after its blocks in a prompt, as calls do. */
const HEAD = ['role', 'type', 'tool_call_id'] as const

/** Returns a message of only the first blocks of a list, without the calls that follow them. */
export function firstBlocks(message: object, count: number): object {
  const head = HEAD.flatMap((name) =>
    name in message ? [[name, message[name as keyof typeof message]]] : [],
  )
  const [field, list] = [fieldOf(message), listOf(message)]
  if (field === undefined || list === undefined) return message
  // A message can be an instance of a class that says what it is.
  const made = Object.create(Object.getPrototypeOf(message) as object | null) as object
  return Object.assign(made, Object.fromEntries(head), { [field]: list.slice(0, count) })
}
