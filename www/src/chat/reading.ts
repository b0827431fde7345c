// Other views of what was read, loaded when somebody chooses one: so is the grammar of the file's language.
import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import type { Curator, FileView } from 'trimtab/reading'
import type { Model } from './agent/model.js'
import { outlined } from './content/outlined.js'
import type { ReadPart } from './content/read-files.js'
import { Desk } from './desk.js'

/** So many messages before a read say what it was for. */
const SAID_BEFORE = 60
/** How long a model may take: the user sees it work, and ends it. */
const PATIENCE = 600_000

interface ReadAs {
  readonly mode: 'structure' | 'curated'
  /** The messages before the read. */
  readonly before: readonly object[]
  readonly format: Format
  /** Who chooses lines; the outline does without one. */
  readonly model?: Model
  /** Tokens of its window. */
  readonly window: number
  readonly signal: AbortSignal
  /** What the model says, as it comes. */
  onSaid(text: string): void
}

/** Where files are outlined: its grammars stay loaded. */
const desk = new Desk()

/** Shows what was read of a file in another way. */
export async function viewOf(
  { path, lines }: ReadPart,
  { mode, before, format, model, signal, window, onSaid }: ReadAs,
): Promise<FileView> {
  const file = { path, content: lines.join('\n'), mode, before: before.slice(-SAID_BEFORE), format }
  signal.throwIfAborted()
  if (model === undefined) return desk.view(file)
  return outlined(file, {
    signal,
    curator: curatorOf(model),
    curatorSettings: { contextWindow: window, timeLimit: PATIENCE },
    onEvent: (event) => {
      if (event.kind === 'thinking' || event.kind === 'content') onSaid(event.text)
    },
  })
}

/** A model of the page's as one that chooses lines. */
const curatorOf = (model: Model): Curator =>
  async function* ({ system, prompt, signal }) {
    const asked = [{ role: 'user', content: prompt }]
    const { messages } = convertMessages(asked, model.format, { format: 'openai-chat' })
    for await (const event of model.answer({ messages, system, tools: [], signal })) {
      if (event.type === 'reasoning') yield { kind: 'thinking', text: event.text }
      else if (event.type === 'text') yield event.text
    }
  }
