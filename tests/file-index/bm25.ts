/** Reference implementation of BM25 over passages, which the engine is compared with. */

export interface Passage {
  path: string
  startLine: number
  text: string
}

const K1 = 1.2
const B = 0.75

/** A word with its forms: without its number, and in the singular. */
function formsOf(word: string): string[] {
  const base = word.replace(/[0-9]+$/, '')
  const isNumbered = base.length < word.length && base.length > 2
  const one = base.replace(/(?<=..[^s])s$/, '')
  return [word, ...(isNumbered ? [base] : []), ...(one === base ? [] : [one])]
}

/** The words of a text: whole identifiers, and the words in them. */
export function wordsOf(text: string): string[] {
  return (text.match(/[A-Za-z0-9_]+/g) ?? []).flatMap((run) => {
    const whole = run.replace(/^_+|_+$/g, '')
    const parts = whole
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .split(/[\s_]+/)
    const isOne = parts.length === 1 && parts[0] === whole
    const words = parts.filter((part) => part.length > 1).flatMap((part) => formsOf(part.toLowerCase()))
    return [...(isOne ? [] : [whole.toLowerCase()]), ...words]
  })
}

/** The passages with a word of `text`, each with its score. */
export function bm25(passages: readonly Passage[], text: string): Map<Passage, number> {
  const counted = passages.map((passage) => ({
    passage,
    words: [...wordsOf(passage.path), ...wordsOf(passage.text)],
  }))
  const average = counted.reduce((sum, { words }) => sum + words.length, 0) / counted.length
  const weights = new Map<string, number>()
  for (const word of new Set(wordsOf(text))) {
    const having = counted.filter(({ words }) => words.includes(word)).length
    if (having > 0) weights.set(word, Math.log(1 + (passages.length - having + 0.5) / (having + 0.5)))
  }
  const least = Math.max(0, ...weights.values()) / 8
  const scores = new Map<Passage, number>()
  for (const { passage, words } of counted) {
    let score = 0
    for (const [word, weight] of weights) {
      const count = words.filter((other) => other === word).length
      const length = 1 - B + (B * words.length) / average
      if (weight >= least) score += (weight * count * (K1 + 1)) / (count + K1 * length)
    }
    if (score > 0) scores.set(passage, score)
  }
  return scores
}
