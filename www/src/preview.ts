/** Shortens a long text for display. Pure. */

export interface Preview {
  /** The part to show. */
  text: string
  /** Whether the text was shortened. */
  cut: boolean
}

export interface PreviewLimits {
  lines: number
  chars: number
}

/** Returns the start of a text: at most `limits` lines and UTF-16 units, never half of a surrogate pair. */
export function preview(text: string, limits: PreviewLimits): Preview {
  let end = 0
  for (let line = 0; line < limits.lines && end <= limits.chars; line++) {
    const next = text.indexOf('\n', end)
    if (next < 0) {
      end = text.length + 1
      break
    }
    end = next + 1
  }
  // `end` is after a line break here: leave the line break out.
  const stop = Math.min(Math.max(0, end - 1), limits.chars, text.length)
  // A final line break alone does not justify a button.
  if (stop >= text.length - 1) {
    return { text, cut: false }
  }
  return { text: wholePairs(text, stop), cut: true }
}

function wholePairs(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1)
  const halved = unit >= 0xd800 && unit <= 0xdbff
  return text.slice(0, halved ? end - 1 : end)
}

export function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1
  }
  return lines
}
