// Other views of file reads. Loaded when the user selects one, as is the grammar of the file's language.
import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import type { Curator, FileView } from 'trimtab/reading'
import type { Model } from './agent/model.js'
import { outlined } from './content/outlined.js'
import type { ReadPart } from './content/read-files.js'
import { Desk } from './desk.js'

/** Number of messages before a read that show its purpose. */
const SAID_BEFORE = 60
/** Time limit of a model in milliseconds; the user sees its progress and can stop it. */
const PATIENCE = 600_000

interface ReadAs {
  readonly mode: 'structure' | 'curated'
  /** The messages before the read. */
  readonly before: readonly object[]
  readonly format: Format
  /** The model that selects lines; none for the outline. */
  readonly model?: Model
  /** The model's context window in tokens. */
  readonly window: number
  readonly signal: AbortSignal
  /** Called with the model's output as it arrives. */
  onSaid(text: string): void
}

/** The worker that outlines files: its grammars stay loaded. */
const desk = new Desk()

/** Returns another view of what was read from a file. */
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

/** Wraps a model of the page as a curator. */
const curatorOf = (model: Model): Curator =>
  async function* ({ system, prompt, signal }) {
    const asked = [{ role: 'user', content: prompt }]
    const { messages } = convertMessages(asked, model.format, { format: 'openai-chat' })
    for await (const event of model.answer({ messages, system, tools: [], signal })) {
      if (event.type === 'reasoning') yield { kind: 'thinking', text: event.text }
      else if (event.type === 'text') yield event.text
    }
  }
