import * as engine from '../../../pkg/files.js'
import { check, checkFileText, checkOptions, SWITCH } from '../base/check.js'
import { BYTES, ENCODING } from '../base/content.js'
import { files } from '../engine/files.js'
import type { EditRefusal, EditSummary, TextEncoding } from '../generated/types.js'

/** A file's content: text, or bytes, which keep their encoding and everything outside the edit. */
export type FileContent = string | Uint8Array

/** Options of every edit, besides its texts. */
const FILE = { path: null, encoding: ENCODING }

/**
 * The result of an edit. A mistake of the model is not thrown: `isError` is true and `content` is unchanged.
 */
export type EditResult<C extends FileContent = FileContent> =
  | ({ isError: false; content: C } & EditSummary)
  | ({ isError: true; content: C } & EditRefusal)

/** Options of {@link editFile}. */
export interface EditFileOptions {
  /** The file's name in messages and in the diff. Nothing is read or written. */
  path: string
  /** The text to find, matched exactly. */
  oldString: string
  /** The replacement, used literally (`$&` has no special meaning). */
  newString: string
  /** Replaces all occurrences instead of the only one. Default false. */
  replaceAll?: boolean | undefined
  /** The encoding of bytes without a byte order mark. Default: UTF-8, as far as the edit can be exact. */
  encoding?: TextEncoding | undefined
}

/** Options of {@link appendToFile} and {@link prependToFile}. */
export interface AddOptions {
  /** The file's name in messages and in the diff. */
  path: string
  /** The text to add. */
  text: string
  /** See {@link EditFileOptions}. */
  encoding?: TextEncoding | undefined
}

/** Options of {@link updateSection}. */
export interface UpdateSectionOptions {
  /** The file's name in messages and in the diff. */
  path: string
  /** The heading's text, with or without its `#`s, or a path of headings: `A > B` is the `B` under `A`. */
  header: string
  /**
   * The new text of the section, up to the next heading of the same or a higher level, without the heading
   * itself.
   */
  text: string
  /** See {@link EditFileOptions}. */
  encoding?: TextEncoding | undefined
}

/**
 * Replaces a text that occurs exactly once in a file, or all its occurrences with `replaceAll`. The result is the
 * content before the place, the new text, and the content after it, byte for byte.
 *
 * @throws {TrimtabError} `invalid_option`, `ill_formed_text`.
 */
export function editFile(content: string, options: EditFileOptions): EditResult<string>
export function editFile(content: Uint8Array, options: EditFileOptions): EditResult<Uint8Array>
export function editFile(content: FileContent, options: EditFileOptions): EditResult {
  options = checkOptions(
    options,
    { ...FILE, oldString: null, newString: null, replaceAll: SWITCH },
    'editFile',
  )
  const { path, oldString, newString, replaceAll = false, encoding } = options
  checkTexts({ path, oldString, newString })
  return outcome(content, encoding, (bytes, stored) =>
    engine.editFile(bytes, path, stored, oldString, newString, replaceAll),
  )
}

/**
 * Adds a text at the end of a file; `undefined` creates the file. No separator is added.
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function appendToFile(content: string | undefined, options: AddOptions): EditResult<string>
export function appendToFile(content: Uint8Array, options: AddOptions): EditResult<Uint8Array>
export function appendToFile(content: FileContent | undefined, options: AddOptions): EditResult {
  return add(content, options, engine.appendToFile)
}

/**
 * Adds a text at the beginning of a file, after its byte order mark; `undefined` creates the file.
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function prependToFile(content: string | undefined, options: AddOptions): EditResult<string>
export function prependToFile(content: Uint8Array, options: AddOptions): EditResult<Uint8Array>
export function prependToFile(content: FileContent | undefined, options: AddOptions): EditResult {
  return add(content, options, engine.prependToFile)
}

/**
 * Replaces the content under a heading of a Markdown file, by the rules of CommonMark. Rejects content that
 * would end the section early (a heading of its level) or absorb what follows it (an open code fence).
 *
 * @throws {TrimtabError} As {@link editFile}.
 */
export function updateSection(content: string, options: UpdateSectionOptions): EditResult<string>
export function updateSection(content: Uint8Array, options: UpdateSectionOptions): EditResult<Uint8Array>
export function updateSection(content: FileContent, options: UpdateSectionOptions): EditResult {
  options = checkOptions(options, { ...FILE, header: null, text: null }, 'updateSection')
  const { path, header, text, encoding } = options
  checkTexts({ path, header, text })
  return outcome(content, encoding, (bytes, stored) =>
    engine.updateSection(bytes, path, stored, header, text),
  )
}

/**
 * Encodes a text that replaces all of a file in the encoding of the bytes that it replaces, with their byte order mark.
 * The `message` is empty or a warning.
 */
export function rewriteFile(before: Uint8Array | undefined, options: AddOptions): EditResult<Uint8Array> {
  const { path, text, encoding = '' } = options
  checkTexts({ path, text })
  const content = before ?? new Uint8Array()
  return outcome(content, undefined, () =>
    engine.rewriteFile(before, path, encoding, text),
  ) as EditResult<Uint8Array>
}

type Add = typeof engine.appendToFile

function add(content: FileContent | undefined, options: AddOptions, run: Add): EditResult {
  options = checkOptions(options, { ...FILE, text: null }, 'text to add')
  const { path, text, encoding } = options
  checkTexts({ path, text })
  if (content !== undefined) {
    return outcome(content, encoding, (bytes, stored) => run(bytes, path, stored, text))
  }
  // The file is created: as text, or as bytes if an encoding was given.
  return outcome(encoding === undefined ? '' : new Uint8Array(), encoding, (_, stored) =>
    run(undefined, path, stored, text),
  )
}

const encoder = new TextEncoder()
// The byte order mark is part of the content.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function outcome(
  content: FileContent,
  encoding: TextEncoding | undefined,
  edit: (bytes: Uint8Array, stored: string | undefined) => engine.EditOutcome,
): EditResult {
  const bytes = bytesOf(content)
  // A text of the host has no encoding; that of bytes may be unknown.
  const stored = typeof content === 'string' ? undefined : (encoding ?? '')
  return files.enter(() => {
    const made = edit(bytes, stored)
    const report = made.report() as EditSummary | EditRefusal
    const after = made.takeContent()
    made.free()
    if ('code' in report || after === undefined) return { isError: true, content, ...(report as EditRefusal) }
    return { isError: false, content: typeof content === 'string' ? decoder.decode(after) : after, ...report }
  })
}

function bytesOf(content: unknown): Uint8Array {
  if (typeof content !== 'string') return check('content', content, BYTES)
  return encoder.encode(checkFileText('content', content))
}

function checkTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const [argument, text] of Object.entries(texts)) checkFileText(argument, text)
}
