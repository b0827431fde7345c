// Hostile texts as the answers of a model. For tests in the page and in Node: both stream all of them.
import { BOMBS, HOSTILE, HOSTILE_NAMES } from './hostile-chat.js'

/** Characters of hostile texts in one chat: each request sends all of them again. */
const PER_CHAT = 300_000

/** Tools of the page, which then run with hostile arguments, and others that it does not have. */
const TOOLS = ['shell', 'read_lines', 'search', 'edit_file', 'write_file', ...HOSTILE_NAMES]

/** The last answer of all: one line of five million characters. */
const LINE = 'x'.repeat(5_000_000)

/** Divides texts into those of one chat each. */
function chatsOf(texts: readonly string[]): string[][] {
  const chats: string[][] = []
  let room = 0
  for (const text of texts) {
    room -= text.length
    if (room < 0) {
      chats.push([])
      room = PER_CHAT - text.length
    }
    chats.at(-1)?.push(text)
  }
  return chats
}

/** What is answered: each text as a thought, as an answer, and as all arguments of a call. */
const answersOf = (texts: readonly string[]) =>
  texts.map((text, at) => {
    const args = {
      path: text,
      command: text,
      pattern: text,
      content: text,
      old_string: 'x',
      new_string: text,
    }
    const call = { name: TOOLS[at % TOOLS.length] ?? '', arguments: args }
    return { reasoning: text, text, calls: [call] }
  })

/** The answers of each chat, one after the other; the last has no call. */
export const hostileChats = chatsOf([...HOSTILE, ...BOMBS]).map((texts, at, chats) => {
  const last = at === chats.length - 1 ? LINE : 'That was all.'
  return [...answersOf(texts), { reasoning: last, text: last, calls: [] }]
})
