// `clearOldToolUses` beside LangChain's `ClearToolUsesEdit`, on LangChain's own message instances, in one process and in
// turns. `npm run bench -- langchain` in the project's root builds, installs and runs this.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ClearToolUsesEdit, countTokensApproximately } from 'langchain'
import { Context, clearOldToolUses } from '../js/dist/index.js'
import { drawScript, play } from './history.js'
import { collectGarbage, Times } from './measure.js'
import { verdict } from './report.js'

const SIZE = { count: 1_000, bytes: 4_500_000 }
/** A step of LangChain's takes a tenth of a second. */
const STEPS = 20
const WARM_STEPS = 5

const OURS = 'clearOldToolUses'
const THEIRS = 'ClearToolUsesEdit'

/** A message of history.js as LangChain has it. */
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

/** What its middleware does before each call of the model, with its default counter. It edits the list it is given. */
async function clearByLangChain(messages) {
  const view = [...messages]
  await new ClearToolUsesEdit().apply({ messages: view, countTokens: countTokensApproximately })
  return view
}

const editedIn = (view, messages) =>
  new Set(messages.flatMap((message, i) => (view[i] === message ? [] : [i])))

/** Both clear the bulk of the results, and ours none that theirs keeps: it waits for the next batch, and for size. */
function checkWork(ours, theirs) {
  const surplus = [...ours].filter((index) => !theirs.has(index))
  if (surplus.length > 0) throw new Error(`${OURS} clears ${surplus}, which ${THEIRS} keeps`)
  if (ours.size < theirs.size / 2)
    throw new Error(`${OURS} clears ${ours.size} results, ${THEIRS} ${theirs.size}`)
}

const all = play(drawScript({ ...SIZE, extra: STEPS + WARM_STEPS })).map(toLangChain)
const messages = all.slice(0, SIZE.count)
const context = new Context(clearOldToolUses())

const times = new Times()
async function step(times) {
  messages.push(all[messages.length])
  const ours = times.measure(OURS, () => context.project(messages).messages)
  const theirs = await times.measureAsync(THEIRS, () => clearByLangChain(messages))
  return [editedIn(ours, messages), editedIn(theirs, messages)]
}

for (let i = 0; i < WARM_STEPS; i++) await step(new Times())
await collectGarbage()
let cleared = []
for (let i = 0; i < STEPS; i++) {
  cleared = await step(times)
  checkWork(...cleared)
}

const [ours, theirs] = cleared
const ratio = (part) => times.quantile(THEIRS, part) / times.quantile(OURS, part)
console.log(`
Node ${process.version}, ${process.platform} ${process.arch}. ${messages.length} LangChain messages of 4.5 MB, one new message.
${OURS} ${times.median(OURS).toPrecision(3)} ms (${ours.size} results cleared), ${THEIRS} ${times.median(THEIRS).toPrecision(3)} ms (${theirs.size}): ${ratio(0.5).toFixed(0)} times faster
`)
const figure = {
  what: `time of ${OURS} / ${THEIRS}`,
  value: (part) => 1 / ratio(part),
  limit: 0.01,
  unit: 'x',
}
console.log(`Promised, 100 times faster:\n${verdict(figure)}`)
