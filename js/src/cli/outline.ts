import { TrimtabError } from '../base/error.js'
import { formatRead } from '../files/index.js'
import { type Outline, type OutlineBudget, type OutlineLanguage, outline } from '../outline/index.js'
import { help, type Output, parse, someFiles, whole } from './arguments.js'
import { Failure, failureLine } from './failure.js'
import { OUTLINE_HELP } from './help.js'
import { nameOf } from './input.js'
import { readBytes } from './source-file.js'
import { oneLine } from './text.js'

export async function run(args: string[]): Promise<Output> {
  const options = {
    help,
    json: { type: 'boolean' },
    lines: { type: 'string' },
    tokens: { type: 'string' },
    language: { type: 'string' },
  } as const
  const { values, positionals } = parse('outline', args, options)
  if (values.help === true) return { stdout: OUTLINE_HELP }
  const lines = whole('--lines', values.lines)
  const tokens = whole('--tokens', values.tokens)
  if (lines !== undefined && tokens !== undefined) throw new Failure('--lines or --tokens, not both')
  const budget = lines !== undefined ? { lines } : tokens !== undefined ? { tokens } : undefined
  const json = values.json === true
  const outlined = await outlineCommand({
    files: someFiles('outline', positionals),
    budget,
    language: values.language,
    json,
  })
  return { stdout: outlined.stdout, stderr: outlined.notes, failed: outlined.failed }
}

export interface OutlineArguments {
  files: readonly string[]
  budget: OutlineBudget | undefined
  /** Detected from the path or the first line if absent. */
  language: string | undefined
  json: boolean
}

export interface Outlined {
  stdout: string
  /** One line for each file that has no outline. */
  notes: string
  failed: boolean
}

/** Outlines files. A file that cannot be read is reported, and the others are still shown. */
export async function outlineCommand(args: OutlineArguments): Promise<Outlined> {
  const shown: string[] = []
  const notes: string[] = []
  for (const file of args.files) {
    try {
      const found = await outlineFile(file, args)
      shown.push(args.json ? `${JSON.stringify({ path: file, ...found })}\n` : outlineText(file, found))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      notes.push(failureLine(error.message))
    }
  }
  return { stdout: shown.join(args.json ? '' : '\n'), notes: notes.join(''), failed: notes.length > 0 }
}

/** Outlines a file, or standard input for `-`. */
async function outlineFile(
  file: string,
  { budget, language }: Pick<OutlineArguments, 'budget' | 'language'>,
): Promise<Outline> {
  const bytes = await readBytes(file)
  const { binary } = formatRead({ path: file, content: bytes, limit: 1 })
  if (binary !== null) throw new Failure(`${nameOf(file)}: a binary file (${binary}) has no outline`)
  try {
    return await outline(file, bytes, {
      ...(budget && { budget }),
      ...(language !== undefined && { language: language as OutlineLanguage }),
    })
  } catch (error) {
    if (!(error instanceof TrimtabError) || error.code !== 'unknown_language') throw error
    throw new Failure(`--language ${language}: ${error.message}`)
  }
}

function outlineText(file: string, { text, language, totalLines, shownLines, complete }: Outline): string {
  const cut = complete ? '' : '; the budget is too small for all of the top level'
  const facts = `[${language}: ${shownLines} of ${totalLines} lines${cut}]`
  return `=== ${oneLine(nameOf(file))} ===\n${totalLines === 0 ? '[File is empty: it has 0 lines.]' : facts}\n${text}`
}
