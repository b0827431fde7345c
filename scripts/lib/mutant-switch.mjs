// Puts all mutants of cargo-mutants into one program: each function with mutants is followed by a copy of its body for
// each, and a number selects one. Compiling once takes a minute; compiling after each change would take hours.

/**
 * Code in `src/lib.rs` of the copy that returns the selected mutant. If `TRIMTAB_REACHED` names a file, no mutant is
 * active, and each test appends a line to it at its end: its name, its milliseconds, and the functions that it called.
 * With a mutant, the first panic ends the program and prints the name of its test, which is all that is needed.
 */
export const SWITCH = `
#[allow(missing_docs, clippy::all)]
pub mod mutant {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::sync::OnceLock;
    use std::time::Instant;

    enum Mode {
        Off,
        Records(std::path::PathBuf),
        On(usize),
    }

    /// What the test of this thread has called.
    struct Reached {
        start: Instant,
        functions: BTreeSet<usize>,
    }

    impl Drop for Reached {
        fn drop(&mut self) {
            let Mode::Records(path) = mode() else { return };
            let thread = std::thread::current();
            let functions: Vec<String> = self.functions.iter().map(usize::to_string).collect();
            let line = format!("{}\\t{}\\t{}\\n", thread.name().unwrap_or(""), self.start.elapsed().as_millis(), functions.join(","));
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            file.and_then(|mut file| file.write_all(line.as_bytes())).ok();
        }
    }

    thread_local! {
        static REACHED: RefCell<Reached> = RefCell::new(Reached { start: Instant::now(), functions: BTreeSet::new() });
    }

    fn mode() -> &'static Mode {
        static MODE: OnceLock<Mode> = OnceLock::new();
        MODE.get_or_init(|| {
            if let Some(path) = std::env::var_os("TRIMTAB_REACHED") {
                return Mode::Records(path.into());
            }
            let number = std::env::var("TRIMTAB_MUTANT").ok().and_then(|text| text.parse().ok());
            let Some(number) = number else { return Mode::Off };
            std::panic::set_hook(Box::new(|_| {
                let thread = std::thread::current();
                writeln!(std::io::stderr(), "noticed by {}", thread.name().unwrap_or("")).ok();
                std::process::exit(101);
            }));
            Mode::On(number)
        })
    }

    /// The number of the change that is on, asked by the function whose first change has this number.
    pub fn number(function: usize) -> usize {
        match mode() {
            Mode::Off => 0,
            Mode::On(number) => *number,
            Mode::Records(_) => {
                REACHED.with_borrow_mut(|reached| reached.functions.insert(function));
                0
            }
        }
    }
}
`

const MARK = '// mutant '

/** A source text by line and column, as cargo-mutants counts them: both from 1, columns in characters. */
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
 * Returns the offset after the opening brace of a function's body. Skips documentation, attributes and parameters,
 * whose patterns may contain braces too.
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
  // A trait object has no `use<...>` bounds.
  const trait = returned?.replace(/\s*\+\s*use<[^>]*>/, '')
  // All arms of a match must have the same type.
  const arm = (pattern, body) =>
    trait ? `${pattern} => Box::new({${body}}) as Box<dyn ${trait} + '_>,` : `${pattern} => {${body}}`
  const changed = ({ number, span, replacement }) => {
    const [from, to] = [lines.offset(span.start), lines.offset(span.end)]
    const body = `${lines.slice(start, from)}${replacement} ${lines.slice(to, end)}`
    return `\n${MARK}${number}\n${arm(number, body)}`
  }
  const arms = mutants.map(changed).join('')
  const text = `match crate::mutant::number(${mutants[0].number}) {${arms}\n${MARK}0\n${arm('_', lines.slice(start, end))}\n}`
  return { start, end, text }
}

/** Groups a file's mutants by their function. */
export function byFunction(mutants) {
  const functions = new Map()
  for (const mutant of mutants) {
    const { span } = mutant.function
    const key = `${span.start.line}:${span.start.column}`
    if (!functions.has(key)) functions.set(key, { span, mutants: [] })
    functions.get(key).mutants.push(mutant)
  }
  return [...functions.values()]
}

/**
 * Returns a source file in which each of its mutants can be selected. `mutants` are the file's own, with their numbers.
 */
export function switched(text, mutants) {
  const lines = new Lines(text)
  const bodies = byFunction(mutants).map((one) => switchedBody(lines, one))
  let [out, at] = ['', 0]
  for (const body of bodies.sort((a, b) => a.start - b.start)) {
    out += lines.slice(at, body.start) + body.text
    at = body.end
  }
  return out + lines.slice(at)
}

/** Returns the number of the mutant in a line of a switched file; 0 for the original code. */
export function mutantAt(text, line) {
  const above = text.split('\n').slice(0, line).reverse()
  const mark = above.find((one) => one.startsWith(MARK))
  return mark ? Number(mark.slice(MARK.length)) : 0
}
