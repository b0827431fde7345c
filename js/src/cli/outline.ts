import { TrimtabError } from '../base/error.js'
import { given } from '../base/json.js'
import { EMPTY_FILE } from '../generated/protocol.js'
import { type Outline, type OutlineBudget, type OutlineLanguage, outline } from '../outline/index.js'
import { help, type Output, parse, someFiles, whole } from './arguments.js'
import { Failure, failureLine } from './failure.js'
import { OUTLINE_HELP } from './help.js'
import { nameOf, readSource } from './input.js'
import { asPrinted, oneLine } from './text.js'

const OPTIONS = {
  help,
  json: { type: 'boolean' },
  lines: { type: 'string' },
  tokens: { type: 'string' },
  language: { type: 'string' },
} as const

/** `trimtab outline`. A file that cannot be read is reported, and the others are still shown. */
export async function run(args: string[]): Promise<Output> {
  const { values, positionals } = parse('outline', args, OPTIONS)
  if (values.help === true) return { stdout: OUTLINE_HELP }
  const { json = false, language } = values
  const budget = budgetOf(whole('--lines', values.lines), whole('--tokens', values.tokens))
  const shown: string[] = []
  const notes: string[] = []
  for (const file of someFiles('outline', positionals)) {
    try {
      const found = await outlineFile(file, budget, language)
      shown.push(json ? `${JSON.stringify({ path: file, ...found })}\n` : outlineText(file, found))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      notes.push(failureLine(error.message))
    }
  }
  const stdout = asPrinted(shown.join(json ? '' : '\n'))
  return { stdout, stderr: notes.join(''), failed: notes.length > 0 }
}

function budgetOf(lines: number | undefined, tokens: number | undefined): OutlineBudget | undefined {
  if (lines === undefined) return tokens === undefined ? undefined : { tokens }
  if (tokens !== undefined) throw new Failure('--lines or --tokens, not both')
  return { lines }
}

/** Outlines a file, or standard input for `-`. */
async function outlineFile(
  file: string,
  budget: OutlineBudget | undefined,
  language: string | undefined,
): Promise<Outline> {
  const { content } = await readSource(file, 'outline')
  try {
    return await outline(file, content, given({ budget, language: language as OutlineLanguage | undefined }))
  } catch (error) {
    if (!(error instanceof TrimtabError) || error.code !== 'unknown_language') throw error
    throw new Failure(`--language ${language}: ${error.message}`)
  }
}

function outlineText(file: string, { text, language, totalLines, shownLines, complete }: Outline): string {
  const cut = complete ? '' : '; the budget is too small for all of the top level'
  const facts = `[${language}: ${shownLines} of ${totalLines} lines${cut}]`
  return `=== ${oneLine(nameOf(file))} ===\n${totalLines === 0 ? EMPTY_FILE : facts}\n${text}`
}
