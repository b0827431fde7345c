import { copyOf, readable, refuseWith } from '../base/check.js'
import { isArray } from '../base/json.js'
import type { Embed } from './types.js'

/** Number of texts per call of the host's model. */
const BATCH = 64

/** Rank constant k of reciprocal rank fusion (Cormack and others, "Reciprocal Rank Fusion", 2009). */
const FUSION = 60

/** Returns the embedding vectors of texts, scaled to length 1: the dot product of two is their cosine similarity. */
export async function vectorsOf(texts: readonly string[], embed: Embed): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH)
    const answer: unknown = embed(batch)
    // `await` reads it too, and would throw what is not the host's own error.
    readable('embed', () => (answer as Partial<PromiseLike<unknown>> | null | undefined)?.then)
    const found = await answer
    vectors.push(...readable('embed', () => normalisedAll(found, batch.length)))
  }
  const length = vectors[0]?.length
  if (vectors.some((vector) => vector.length !== length)) refuse('vectors of the same length')
  return vectors
}

function normalisedAll(found: unknown, count: number): Float32Array[] {
  const lists = copyOf(found)
  if (!isArray(lists) || lists.length !== count) refuse(`a list of ${count} vectors, one for each text`)
  return lists.map(normalised)
}

function normalised(numbers: unknown): Float32Array {
  if (typeof numbers !== 'object' || numbers === null) refuse('lists of numbers')
  const vector = Float32Array.from(numbers as ArrayLike<number>)
  const norm = Math.hypot(...vector)
  if (vector.length === 0 || !Number.isFinite(norm)) refuse('lists of finite numbers')
  return norm === 0 ? vector : vector.map((value) => value / norm)
}

function refuse(expected: string): never {
  return refuseWith('embed', `embed must return ${expected}`)
}

export function product(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) refuse('vectors of the same length at every call')
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}

/** Fuses several rankings by rank alone: scores of different rankings are not comparable. */
export function fused<T>(
  rankings: readonly (readonly T[])[],
  keyOf: (item: T) => string,
): { item: T; score: number }[] {
  const found = new Map<string, { item: T; score: number }>()
  for (const ranking of rankings) {
    ranking.forEach((item, place) => {
      const key = keyOf(item)
      const known = found.get(key) ?? { item, score: 0 }
      known.score += 1 / (FUSION + place + 1)
      found.set(key, known)
    })
  }
  return [...found.values()].sort((one, other) => other.score - one.score)
}
