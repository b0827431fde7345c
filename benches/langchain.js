// Compares `clearOldToolUses` with LangChain's `ClearToolUsesEdit`, on LangChain's message instances, in one process
// and taking turns. `npm run bench -- langchain` in the project's root builds, installs and runs this.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ClearToolUsesEdit, countTokensApproximately } from 'langchain'
import { Context, clearOldToolUses } from '../js/dist/entries/trimtab.js'
import { drawScript, play } from './history.js'
import { collectGarbage, Times } from './measure.js'
import { verdict } from './report.js'

const SIZE = { count: 1_000, bytes: 4_500_000 }
/** A step of LangChain takes a tenth of a second. */
const STEPS = 20
const WARM_STEPS = 5

const OURS = 'clearOldToolUses'
const THEIRS = 'ClearToolUsesEdit'
/**
 * It edits the list passed to it: a host that passes the same list again, and so loses what was cleared, finds the work
 * of earlier steps done. Shown for comparison; no target applies to it.
 */
const THEIRS_EDITED = 'ClearToolUsesEdit, on the list it edited before'

/** Converts a message of history.js to LangChain's form. */
function toLangChain({ role, content, tool_calls = [], tool_call_id }) {
  switch (role) {
    case 'system':
      return new SystemMessage(content)
    case 'user':
      return new HumanMessage(content)
    case 'tool':
      return new ToolMessage({ content, tool_call_id })
    default: {
      const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => ({
        id,
        name,
        args: JSON.parse(json),
        type: 'tool_call',
      }))
      return new AIMessage({ content, tool_calls: calls })
    }
  }
}

/** Runs LangChain's middleware as before each call of the model, with its default counter. Edits the list. */
async function clearByLangChain(messages) {
  await new ClearToolUsesEdit().apply({ messages, countTokens: countTokensApproximately })
  return messages
}

const editedIn = (view, messages) =>
  new Set(messages.flatMap((message, i) => (view[i] === message ? [] : [i])))

/** Both must clear most results, and ours none that theirs keeps: ours waits for the next batch, and for size. */
function checkWork(ours, theirs) {
  const surplus = [...ours].filter((index) => !theirs.has(index))
  if (surplus.length > 0) throw new Error(`${OURS} clears ${surplus}, which ${THEIRS} keeps`)
  if (ours.size < theirs.size / 2)
    throw new Error(`${OURS} clears ${ours.size} results, ${THEIRS} ${theirs.size}`)
}

const all = play(drawScript({ ...SIZE, extra: STEPS + WARM_STEPS })).map(toLangChain)
const messages = all.slice(0, SIZE.count)
const edited = [...messages]
const context = new Context(clearOldToolUses())

async function step(times) {
  const next = all[messages.length]
  messages.push(next)
  edited.push(next)
  const copy = [...messages]
  const ours = times.measure(OURS, () => context.project(messages).messages)
  const theirs = await times.measureAsync(THEIRS, () => clearByLangChain(copy))
  await times.measureAsync(THEIRS_EDITED, () => clearByLangChain(edited))
  return [editedIn(ours, messages), editedIn(theirs, messages)]
}

const times = new Times()
for (let i = 0; i < WARM_STEPS; i++) await step(new Times())
await collectGarbage()
let cleared = []
for (let i = 0; i < STEPS; i++) {
  cleared = await step(times)
  checkWork(...cleared)
}

const [ours, theirs] = cleared
console.log(`
Node ${process.version}, ${process.platform} ${process.arch}. ${messages.length} LangChain messages of 4.5 MB, one new message; median milliseconds:
${[OURS, THEIRS, THEIRS_EDITED].map((name) => `  ${name}: ${times.median(name).toPrecision(3)}`).join('\n')}
${OURS} has cleared ${ours.size} results, ${THEIRS} ${theirs.size}.

Promised, 100 times faster:`)
const value = (part) => times.quantile(OURS, part) / times.quantile(THEIRS, part)
console.log(verdict({ what: `${OURS} / ${THEIRS}`, value, limit: 0.01, unit: 'x' }))
