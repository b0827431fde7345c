import { useSignal } from '@preact/signals'
import type { LostEvidence } from 'trimtab/money'
import { plural } from '../../numbers.js'
import { shortened } from '../content/portion.js'
import { place } from '../place.js'

/** Number of places listed at first. */
const FIRST = 8

const WORDS: Readonly<Record<LostEvidence['kind'], string>> = {
  edits: 'Text that an edit replaced',
  files: 'The newest read of a file that was used again',
  failures: 'The failure of a command that was run again',
}

/**
 * Lists evidence that later steps needed but would not have had, with links to where it was and where it was needed.
 */
export function LostEvidenceList({ lost }: { lost: readonly LostEvidence[] }) {
  const isAll = useSignal(false)
  if (lost.length === 0) return null
  const listed = isAll.value ? lost : lost.slice(0, FIRST)
  return (
    <section class="lost" aria-label="Evidence lost">
      <h4>Evidence lost: {plural(lost.length, 'place')}</h4>
      <ul>
        {listed.map(({ kind, request, message, heldBy, text }) => (
          <li key={`${kind} ${message} ${text}`}>
            <span>
              {WORDS[kind]}, at request {request + 1}
            </span>
            <code>{shortened(text.trim().split('\n', 1)[0] ?? '')}</code>
            <span class="lost-places">
              <button type="button" class="link" onClick={() => (place.value = { message: heldBy })}>
                Show the original
              </button>
              <button type="button" class="link" onClick={() => (place.value = { message })}>
                Show where it was needed
              </button>
            </span>
          </li>
        ))}
      </ul>
      {lost.length > FIRST && !isAll.value ? (
        <button type="button" class="link" onClick={() => (isAll.value = true)}>
          Show all
        </button>
      ) : null}
    </section>
  )
}
