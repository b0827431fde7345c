import { readable, refuse } from '../base/check.js'
import type { EvidenceKept, Kept } from './types.js'

/** Initial counts. */
export function noEvidence(): EvidenceKept {
  const none = (): Kept => ({ kept: 0, of: 0 })
  return { edits: none(), files: none(), failures: none() }
}

/** Returns the fraction of all evidence that was in view; 1 if there was none. */
export function evidenceShare(evidence: EvidenceKept): number {
  return readable('evidence', () => {
    const { edits, files, failures } = evidence ?? {}
    if (!edits || !files || !failures) refuse('evidence', 'the evidence of a simulated policy', evidence)
    const of = edits.of + files.of + failures.of
    return of === 0 ? 1 : (edits.kept + files.kept + failures.kept) / of
  })
}

export function combinedEvidence(one: EvidenceKept, other: EvidenceKept): EvidenceKept {
  return {
    edits: combinedKept(one.edits, other.edits),
    files: combinedKept(one.files, other.files),
    failures: combinedKept(one.failures, other.failures),
  }
}

export function combinedKept(one: Kept, other: Kept): Kept {
  return { kept: one.kept + other.kept, of: one.of + other.of }
}
