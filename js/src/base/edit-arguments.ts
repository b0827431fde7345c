import { asString, type JsonRecord } from './json.js'

/** Argument names of editing tools for the text to replace. */
export const OLD_TEXT = ['old_string', 'oldString', 'old_str', 'oldStr', 'old_text', 'oldText', 'search']

/** Argument names of editing tools for the replacement. */
export const NEW_TEXT = ['new_string', 'newString', 'new_str', 'newStr', 'new_text', 'newText', 'replace']

/** Returns the first of the named arguments that is a string. */
export function firstText(args: JsonRecord, names: readonly string[]): string | undefined {
  return names.map((name) => asString(args[name])).find((text) => text !== undefined)
}
