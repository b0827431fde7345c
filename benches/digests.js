// What digests of old reads keep, and what they cost: sessions replayed with old reads as stubs, and as digests of
// several lengths. `npm run bench -- digests SESSION...`; default: the project's sample session.
import { readFileSync } from 'node:fs'
import { createIndex, createReadDigests } from '../js/dist/entries/index.js'
import { simulate } from '../js/dist/entries/money.js'
import { readTranscript } from '../js/dist/entries/transcripts.js'
import { Context, clearOldToolUses, rollingContext } from '../js/dist/entries/trimtab.js'
import { detectLanguage, loadGrammar } from '../js/dist/outline/index.js'
import { recentText } from '../js/dist/reading/conversation.js'
import { parseRead } from '../js/dist/timeline/read-text.js'
import { eventsOf } from '../js/dist/timeline/tool-uses.js'

const sessions = process.argv.slice(2)
if (sessions.length === 0) sessions.push(new URL('../examples/session.jsonl', import.meta.url).pathname)

const LENGTHS = [10, 20, 50]
/** Number of steps after which a read is old: the age of rolling context. */
const OLD = 5

const grammars = new Map()
async function sectionsOf(path, content) {
  const language = detectLanguage(path, content)
  if (!grammars.has(language)) grammars.set(language, await loadGrammar(language))
  return grammars.get(language).outline(content, {}, language).sections
}

/** Returns the reads of a session whose lines are known, in order; whole files have sections. */
async function readsOf(uses) {
  const reads = []
  for (const { path, startLine, endLine, origin, result, step } of uses) {
    if (origin !== 'read' || path === null || !result || result.isError || result.ephemeral) continue
    const read = parseRead(result.text, { path, startLine, endLine })
    if (read === undefined) continue
    const content = read.fragments.flatMap(({ lines }) => lines).join('\n')
    const sections = read.isWhole ? await sectionsOf(path, content) : undefined
    reads.push({ path, content, sections, isWhole: read.isWhole, message: result.message, step })
  }
  return reads
}

const OLD_TEXTS = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
const oldTextsOf = ({ args }) =>
  [args, ...(Array.isArray(args?.edits) ? args.edits : [])].flatMap((edit) => {
    const text = OLD_TEXTS.map((name) => edit?.[name]).find(
      (value) => typeof value === 'string' && value !== '',
    )
    return text === undefined ? [] : [text]
  })

/**
 * Counts replaced texts of edits that were in a read which was old by then, and how many of these places the digest
 * shows. The digest is made of the newest such read when it became old.
 */
function keptByDigests(messages, format, uses, reads, lines) {
  const index = createIndex()
  const startOfStep = new Map()
  for (const { step, message } of uses) if (!startOfStep.has(step)) startOfStep.set(step, message)
  let [kept, of, shownLines, allLines] = [0, 0, 0, 0]
  const digests = new Map()
  const digestOf = (read) => {
    const known = digests.get(read)
    if (known !== undefined) return known
    for (const earlier of reads) if (earlier.isWhole && earlier.step <= read.step + OLD) index.add(earlier)
    const end = startOfStep.get(read.step + OLD + 1) ?? messages.length
    const { path, content, sections } = read
    const conversation = recentText(messages.slice(0, end), format)
    const { ranges } = index.digest({ path, content, sections }, conversation, { lines })
    const own = content.split('\n')
    const runs = ranges.map(({ startLine, endLine }) => own.slice(startLine - 1, endLine).join('\n'))
    digests.set(read, runs)
    shownLines += runs.join('\n').split('\n').length
    allLines += own.length
    return runs
  }
  for (const use of uses) {
    for (const text of oldTextsOf(use)) {
      const holders = reads.filter(
        (read) => read.step < use.step && read.path === use.path && read.content.includes(text),
      )
      const newest = holders.at(-1)
      if (newest === undefined || use.step - newest.step <= OLD) continue
      of++
      if (digestOf(newest).some((run) => run.includes(text.replace(/\n$/, '')))) kept++
    }
  }
  index[Symbol.dispose]()
  return { kept, of, share: allLines === 0 ? 0 : shownLines / allLines }
}

/** Returns a view function: the policy, with digests for old reads, and an index of the files read so far. */
function withDigests(policy, lines, reads) {
  const index = createIndex()
  const digests = createReadDigests(index, { lines })
  const context = new Context(policy)
  const whole = reads.filter(({ isWhole }) => isWhole)
  let next = 0
  return (messages) => {
    while (next < whole.length && whole[next].message < messages.length) index.add(whole[next++])
    return digests.apply(context.project(messages)).messages
  }
}

const age = { preserveRecentFiles: false }
const clear = { trigger: { type: 'input_tokens', value: 60_000 } }
const POLICIES = {
  'rolling context': rollingContext(),
  'rolling context, in batches of 20,000': { ...rollingContext(), clearAtLeast: 20_000 },
  'by age alone, in batches of 20,000': { ...rollingContext(age), clearAtLeast: 20_000 },
  'at 60,000 tokens all but 3': clearOldToolUses(clear),
}

for (const path of sessions) {
  const { messages, format } = readTranscript(readFileSync(path, 'utf8'))
  const uses = eventsOf(messages, { format }).filter(({ kind }) => kind === 'use')
  const reads = await readsOf(uses)
  console.log(`\n${path}: ${messages.length} messages, ${reads.length} reads of known lines`)
  for (const lines of LENGTHS) {
    const { kept, of, share } = keptByDigests(messages, format, uses, reads, lines)
    console.log(
      `digests of ${lines} lines: show ${kept} of the ${of} texts that edits replaced of reads over ${OLD} steps old, in ${(100 * share).toFixed(0)} % of the lines`,
    )
  }
  for (const [name, policy] of Object.entries(POLICIES)) {
    const variants = LENGTHS.map((lines) => [
      `  digests of ${lines} lines`,
      withDigests(policy, lines, reads),
    ])
    const { policies } = simulate(messages, { [name]: policy, ...Object.fromEntries(variants) }, { format })
    for (const { name: title, relativeCost, peakTokens, evidence } of policies) {
      const { edits, files } = evidence
      const kept = `edits ${edits.kept}/${edits.of}  files ${files.kept}/${files.of}`
      console.log(
        `${title.padEnd(38)} cost ${relativeCost.toFixed(3)}  peak ${String(peakTokens).padStart(6)}  ${kept}`,
      )
    }
  }
}
