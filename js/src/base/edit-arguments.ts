import { asString, type JsonRecord } from './json.js'

/** The names under which editing tools take the text to be replaced. */
export const OLD_TEXT = ['old_string', 'oldString', 'old_str', 'oldStr', 'old_text', 'oldText', 'search']

/** The names under which they take the text that comes in its place. */
export const NEW_TEXT = ['new_string', 'newString', 'new_str', 'newStr', 'new_text', 'newText', 'replace']

/** The first of some arguments that is a text. */
export function firstText(args: JsonRecord, names: readonly string[]): string | undefined {
  return names.map((name) => asString(args[name])).find((text) => text !== undefined)
}
