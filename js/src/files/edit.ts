import * as engine from '../../../pkg/files.js'
import { checkFileText, checkOptions, refuse, SWITCH } from '../base/check.js'
import { files } from '../engine/files.js'
import type { EditRefusal, EditSummary } from '../generated/types.js'

/** A file's content: text, or bytes, which keep whatever the edit does not name in any encoding. */
export type FileContent = string | Uint8Array

/** What came of an edit. What the model did wrong is refused, not thrown, and `content` is then what it was. */
export type EditResult<C extends FileContent = FileContent> =
  | ({ isError: false; content: C } & EditSummary)
  | ({ isError: true; content: C } & EditRefusal)

/** What {@link editFile} replaces. */
export interface EditFileOptions {
  /** The file's name in messages and in the diff. Nothing is read or written. */
  path: string
  /** The text to find: exact, no pattern. */
  oldString: string
  /** The text that takes its place: exact, `$&` is no pattern either. */
  newString: string
  /** Replaces every place instead of the only one. Default false. */
  replaceAll?: boolean
}

/** What {@link appendToFile} and {@link prependToFile} add. */
export interface AddOptions {
  /** The file's name in messages and in the diff. */
  path: string
  /** The text to add. */
  text: string
}

/** What {@link updateSection} puts under which heading. */
export interface UpdateSectionOptions {
  /** The file's name in messages and in the diff. */
  path: string
  /** The heading's text, with or without its `#`s, or a path of headings: `A > B` is the `B` under `A`. */
  header: string
  /** What is to stand up to the next heading of the same or a higher level, without the heading itself. */
  text: string
}

/**
 * Replaces a text that stands in a file exactly once, or everywhere with `replaceAll`. The result is the content before
 * the place, the new text, and the content after it, byte for byte.
 *
 * @throws {TrimtabError} `invalid_option`, `ill_formed_text`.
 */
export function editFile(content: string, options: EditFileOptions): EditResult<string>
export function editFile(content: Uint8Array, options: EditFileOptions): EditResult<Uint8Array>
export function editFile(content: FileContent, options: EditFileOptions): EditResult {
  checkOptions(options, { path: null, oldString: null, newString: null, replaceAll: SWITCH }, 'editFile')
  const { path, oldString, newString, replaceAll = false } = options
  checkTexts({ path, oldString, newString })
  const edit = (bytes: Uint8Array) => engine.editFile(bytes, path, oldString, newString, replaceAll)
  return outcome(content, edit)
}

/**
 * Adds a text at the end of a file; `undefined` makes the file. Nothing is put between the two.
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function appendToFile(content: string | undefined, options: AddOptions): EditResult<string>
export function appendToFile(content: Uint8Array, options: AddOptions): EditResult<Uint8Array>
export function appendToFile(content: FileContent | undefined, options: AddOptions): EditResult {
  return add(content, options, engine.appendToFile)
}

/**
 * Adds a text at the beginning of a file, behind its byte order mark; `undefined` makes the file.
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function prependToFile(content: string | undefined, options: AddOptions): EditResult<string>
export function prependToFile(content: Uint8Array, options: AddOptions): EditResult<Uint8Array>
export function prependToFile(content: FileContent | undefined, options: AddOptions): EditResult {
  return add(content, options, engine.prependToFile)
}

/**
 * Replaces what stands under a heading of a Markdown file, by the rules of CommonMark. Refuses content that would end
 * the section early (a heading of its level) or take in what follows it (an open code fence).
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function updateSection(content: string, options: UpdateSectionOptions): EditResult<string>
export function updateSection(content: Uint8Array, options: UpdateSectionOptions): EditResult<Uint8Array>
export function updateSection(content: FileContent, options: UpdateSectionOptions): EditResult {
  checkOptions(options, { path: null, header: null, text: null }, 'updateSection')
  const { path, header, text } = options
  checkTexts({ path, header, text })
  return outcome(content, (bytes) => engine.updateSection(bytes, path, header, text))
}

type Add = (content: Uint8Array | undefined, path: string, text: string) => engine.EditOutcome

function add(content: FileContent | undefined, options: AddOptions, run: Add): EditResult {
  checkOptions(options, { path: null, text: null }, 'text to add')
  const { path, text } = options
  checkTexts({ path, text })
  if (content !== undefined) return outcome(content, (bytes) => run(bytes, path, text))
  return outcome('', () => run(undefined, path, text))
}

const encoder = new TextEncoder()
// The byte order mark is part of the content.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function outcome(content: FileContent, edit: (bytes: Uint8Array) => engine.EditOutcome): EditResult {
  const bytes = bytesOf(content)
  return files.enter(() => {
    const made = edit(bytes)
    const report = made.report() as EditSummary | EditRefusal
    const after = made.takeContent()
    made.free()
    if ('code' in report || after === undefined) return { isError: true, content, ...(report as EditRefusal) }
    return { isError: false, content: typeof content === 'string' ? decoder.decode(after) : after, ...report }
  })
}

function bytesOf(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content
  if (typeof content !== 'string') return refuse('content', 'a string or a Uint8Array', content)
  return encoder.encode(checkFileText('content', content))
}

function checkTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const [argument, text] of Object.entries(texts)) checkFileText(argument, text)
}
