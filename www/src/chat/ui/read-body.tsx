import { type Signal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { BlockFacts } from 'trimtab'
import type { FileView } from 'trimtab/reading'
import { plural, tokens } from '../../numbers.js'
import { reasonOf } from '../agent/reason.js'
import { placeOf } from '../agent/requests.js'
import { piecesOf } from '../content/folded.js'
import { type ReadPart, readFilesOf } from '../content/read-files.js'
import { languageOf } from '../highlight/highlighting.js'
import type { Piece } from '../highlight/tokens.js'
import { connection, currentModel } from '../models/current.js'
import { pageModel } from '../models/page-model.js'
import { answeringWindow, shown } from '../state.js'
import { Pieces, useCodeLines } from './code.js'
import { keptSignal } from './kept-signal.js'

type Mode = 'full' | 'structure' | 'curated'

/** The current view of a read's result. */
type Reading =
  | { readonly kind: 'full' }
  | {
      readonly kind: 'waits'
      readonly mode: Mode
      /** The model's output so far; `null` without a model. */
      readonly said: Signal<string> | null
      cancel(): void
    }
  | { readonly kind: 'shown'; readonly mode: Mode; readonly views: readonly FileView[] }
  | { readonly kind: 'failed'; readonly mode: Mode; readonly reason: string }

const MODES: readonly (readonly [Mode, string])[] = [
  ['full', 'Full'],
  ['structure', 'Structure'],
  ['curated', 'Curated'],
]

const FULL: Reading = { kind: 'full' }

interface Props {
  readonly result: BlockFacts
  readonly output: string
  /** The complete result, unchanged. */
  readonly children: ComponentChildren
}

/** Shows a file read: in full, as its structure, or as the lines that matter to the conversation. */
export function ReadBody({ result, output, children }: Props) {
  const parts = result.isError ? [] : readFilesOf(output, result.files)
  if (parts.length === 0) return <>{children}</>
  const key = placeOf(result)
  const { conversation } = shown.peek()
  const reading = keptSignal<Reading>(conversation, `reading ${key}`, FULL)
  const opened = keptSignal<ReadonlySet<string>>(conversation, `unfolded ${key}`, new Set())
  const now = reading.value
  const mode = now.kind === 'full' ? 'full' : now.mode
  return (
    <>
      <fieldset class="segmented read-modes" aria-label="How the file is shown">
        {MODES.map(([one, name]) => (
          <button
            key={one}
            type="button"
            aria-pressed={mode === one}
            onClick={() => {
              opened.value = new Set()
              void read(reading, one, { parts, result })
            }}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div aria-live="polite">
        {now.kind === 'waits' ? <Waiting reading={now} /> : null}
        {now.kind === 'failed' ? <p class="read-note is-error">{now.reason}</p> : null}
      </div>
      {now.kind === 'shown'
        ? now.views.map((view, at) => (
            <View key={at} view={view} part={parts[at] as ReadPart} opened={opened} name={String(at)} />
          ))
        : now.kind === 'waits'
          ? null
          : children}
    </>
  )
}

/** Switches to a mode. Cancels the switch in progress. */
async function read(
  reading: Signal<Reading>,
  mode: Mode,
  { parts, result }: { parts: readonly ReadPart[]; result: BlockFacts },
): Promise<void> {
  const before = reading.peek()
  if (before.kind === 'waits') before.cancel()
  reading.value = FULL
  if (mode === 'full') return
  const stop = new AbortController()
  const isAsked = mode === 'curated' && (connection.peek() !== null || pageModel.peek() !== null)
  const said = isAsked ? signal('') : null
  const waits: Reading = { kind: 'waits', mode, said, cancel: () => stop.abort() }
  reading.value = waits
  const show = (next: Reading) => {
    if (reading.peek() === waits) reading.value = next
  }
  stop.signal.addEventListener('abort', () => show(FULL))
  try {
    const { viewOf } = await import('../reading.js')
    const { messages, conversation } = shown.peek()
    const model = isAsked ? await currentModel() : undefined
    const views: FileView[] = []
    for (const part of parts)
      views.push(
        await viewOf(part, {
          mode,
          before: messages.slice(0, result.message),
          format: conversation.format,
          window: answeringWindow.peek(),
          signal: stop.signal,
          onSaid: (text) => {
            if (said !== null) said.value += text
          },
          ...(model === undefined ? {} : { model }),
        }),
      )
    show({ kind: 'shown', mode, views })
  } catch (error) {
    show({ kind: 'failed', mode, reason: `The file cannot be shown so: ${reasonOf(error)}` })
  }
}

/** Number of characters shown from the end of a model's output. */
const SAID_SHOWN = 1200

function Waiting({ reading }: { reading: Reading & { kind: 'waits' } }) {
  const said = reading.said?.value ?? null
  return (
    <div class="read-waits">
      <p class="read-note">
        <span class="dot" aria-hidden="true" />
        {said === null ? (
          'Loading the outline of its language'
        ) : (
          <span>
            The model chooses lines
            <span aria-hidden="true"> · {plural(said.length, 'character')} of its answer so far</span>
          </span>
        )}
        <button type="button" class="link" onClick={reading.cancel}>
          Cancel
        </button>
      </p>
      {said === null || said === '' ? null : <pre aria-hidden="true">{said.slice(-SAID_SHOWN)}</pre>}
    </div>
  )
}

interface ViewProps {
  readonly view: FileView
  readonly part: ReadPart
  readonly opened: Signal<ReadonlySet<string>>
  /** Prefix that distinguishes its sections from those of other files. */
  readonly name: string
}

function View({ view, part, opened, name }: ViewProps) {
  const lines = useCodeLines(part.lines.join('\n'), languageOf(part.path))
  return (
    <>
      <p class="read-note">{saidOf(view)}</p>
      {view.thinking === undefined || view.thinking === '' ? null : (
        <details class="read-thinking">
          <summary>What the model thought</summary>
          <p class="plain">{view.thinking}</p>
        </details>
      )}
      <div class="lines folded">
        {piecesOf(view, part.lines).map((piece) => {
          const key = `${name}.${piece.start}`
          if (piece.isShown || opened.value.has(key))
            return (
              <Lines key={piece.start} lines={lines} first={part.first} start={piece.start} end={piece.end} />
            )
          const count = plural(piece.end - piece.start + 1, 'line')
          return (
            <button
              key={piece.start}
              type="button"
              class="unfold"
              onClick={() => {
                opened.value = new Set([...opened.peek(), key])
              }}
            >
              <span aria-hidden="true">⋯</span> {count}
              {piece.name === '' ? '' : ` of ${piece.name}`}
            </button>
          )
        })}
      </div>
    </>
  )
}

/** The engine's estimate of bytes per token. */
const BYTES_PER_TOKEN = 3.5

/** Describes what a view shows, and who selected it. */
function saidOf({ text, preservedLines, totalLines, curatedBy, summary, fallback, mode }: FileView): string {
  const size = Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN)
  const left = `${plural(preservedLines, 'line')} of ${totalLines}, ${tokens(size)} tokens`
  if (fallback !== undefined)
    return `${left}: ${curatedBy === 'outline' ? 'by its outline' : 'all of it'}, as ${fallback.message}`
  if (curatedBy === 'model') return [left, summary ?? ''].filter((one) => one !== '').join(': ')
  return mode === 'curated' ? `${left}: by its outline and what was said before` : left
}

interface LinesProps {
  /** Lines of the whole part; `first` is the number of the first one in the file. */
  readonly lines: readonly (readonly Piece[])[]
  readonly first: number
  /** First and last line shown, from 1, inclusive. */
  readonly start: number
  readonly end: number
}

function Lines({ lines, first, start, end }: LinesProps) {
  return (
    <pre>
      {lines.slice(start - 1, end).map((line, at) => (
        <span key={at} class="line" data-number={first + start - 1 + at}>
          <Pieces pieces={line} />
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
