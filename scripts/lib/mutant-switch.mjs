// One program that holds all changes of cargo-mutants: each function that has some is followed by a copy of its body for
// each of them, and a number chooses. Compiling once takes a minute; compiling after each change would take hours.

/** What the crate is asked which change is on. It stands in `src/lib.rs` of the copy. */
export const SWITCH = `
/// The change that is on; 0 is none.
#[allow(missing_docs, clippy::all)]
pub mod mutant {
    pub fn number() -> usize {
        static NUMBER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        *NUMBER.get_or_init(|| std::env::var("TRIMTAB_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
    }
}
`

const MARK = '// mutant '

/** A source with its lines, found by the lines and columns of cargo-mutants: both count from 1, columns characters. */
class Lines {
  constructor(text) {
    this.characters = Array.from(text)
    this.starts = [0]
    this.characters.forEach((character, i) => {
      if (character === '\n') this.starts.push(i + 1)
    })
  }

  offset({ line, column }) {
    return this.starts[line - 1] + column - 1
  }

  slice(start, end) {
    return this.characters.slice(start, end).join('')
  }
}

/**
 * Where a function's body begins, behind its documentation, attributes and parameters, whose patterns may have braces too: the
 * text behind the brace.
 */
function bodyStart(lines, span) {
  const end = lines.offset(span.end)
  let depth = 0
  for (let line = span.start.line; ; line++) {
    const start = lines.starts[line - 1]
    if (start >= end) throw new Error(`no body in lines ${span.start.line} to ${span.end.line}`)
    const text = lines.slice(start, Math.min(lines.starts[line] ?? end, end))
    if (/^\s*(?:\/\/|#\[)/.test(text)) continue
    for (const [i, character] of Array.from(text).entries()) {
      if (character === '(') depth++
      if (character === ')') depth--
      if (character === '{' && depth === 0) return start + i + 1
    }
  }
}

function switchedBody(lines, { span, mutants }) {
  const [start, end] = [bodyStart(lines, span), lines.offset(span.end) - 1]
  const returned = /^-> impl (.*)$/s.exec(mutants[0].function.return_type)?.[1]
  // What it borrows is not said of a trait object.
  const trait = returned?.replace(/\s*\+\s*use<[^>]*>/, '')
  // Bodies that are chosen between must be of one type.
  const arm = (pattern, body) =>
    trait ? `${pattern} => Box::new({${body}}) as Box<dyn ${trait} + '_>,` : `${pattern} => {${body}}`
  const changed = ({ number, span, replacement }) => {
    const [from, to] = [lines.offset(span.start), lines.offset(span.end)]
    const body = `${lines.slice(start, from)}${replacement} ${lines.slice(to, end)}`
    return `\n${MARK}${number}\n${arm(number, body)}`
  }
  const arms = mutants.map(changed).join('')
  const text = `match crate::mutant::number() {${arms}\n${MARK}0\n${arm('_', lines.slice(start, end))}\n}`
  return { start, end, text }
}

/** A source file in which each of its changes can be switched on. `mutants` are its own, with their numbers. */
export function switched(text, mutants) {
  const lines = new Lines(text)
  const functions = new Map()
  for (const mutant of mutants) {
    const { span } = mutant.function
    const key = `${span.start.line}:${span.start.column}`
    if (!functions.has(key)) functions.set(key, { span, mutants: [] })
    functions.get(key).mutants.push(mutant)
  }
  const bodies = [...functions.values()].map((one) => switchedBody(lines, one))
  let [out, at] = ['', 0]
  for (const body of bodies.sort((a, b) => a.start - b.start)) {
    out += lines.slice(at, body.start) + body.text
    at = body.end
  }
  return out + lines.slice(at)
}

/** The number of the change that stands in a line of a switched file; 0 for the code as it is. */
export function mutantAt(text, line) {
  const above = text.split('\n').slice(0, line).reverse()
  const mark = above.find((one) => one.startsWith(MARK))
  return mark ? Number(mark.slice(MARK.length)) : 0
}
