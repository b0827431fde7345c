//! What a terminal no longer shows: rows that were erased after the cursor moved up, as those who redraw their progress do.
//!
//! The rows of a text are known only if none of them is so wide that a terminal wraps it, which takes several. What may
//! still be seen is left as it is: an erased failure that is read does less harm than one that is not read.

use std::ops::Range;

/// Rows that the cursor can go up: a terminal's height.
const HEIGHT: usize = 50;
/// Columns of the narrowest terminal that is common.
const WIDTH: usize = 80;

/// A row of the terminal.
#[derive(Debug, Clone, Default)]
struct Row {
    /// What was written to it, as ranges of the text.
    texts: Vec<Range<usize>>,
    width: usize,
}

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    #[default]
    Text,
    Escape,
    /// A control sequence, and its number so far; `None` if it has another form.
    Control(Option<usize>),
    /// A title or a link, up to a bell or an escape.
    Title,
}

/// Follows the cursor through a text.
#[derive(Debug)]
struct Screen {
    /// Number of bytes so far.
    at: usize,
    state: State,
    rows: Vec<Row>,
    /// The row and the column of the cursor.
    row: usize,
    column: usize,
    /// Whether the cursor is somewhere above its row.
    is_lost: bool,
    /// Whether the last text was written where the next one will be.
    goes_on: bool,
    erased: Vec<Range<usize>>,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            at: 0,
            state: State::Text,
            rows: vec![Row::default()],
            row: 0,
            column: 0,
            is_lost: false,
            goes_on: false,
            erased: Vec::new(),
        }
    }
}

impl Screen {
    fn add_chunk(&mut self, chunk: &[u8]) {
        for byte in chunk {
            self.add(*byte);
            self.at += 1;
        }
    }

    fn add(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::Text | State::Title, 0x1b) => State::Escape,
            (State::Text, _) => {
                self.write(byte);
                State::Text
            }
            (State::Escape, b'[') => State::Control(Some(0)),
            (State::Escape, b']') => State::Title,
            (State::Escape, b' '..=b'/') => State::Escape,
            (State::Escape, b'\\' | b'=' | b'>' | b'B' | b'0' | b'7') | (State::Title, 0x07) => {
                State::Text
            }
            (State::Title, _) => State::Title,
            (State::Escape, _) => {
                self.forget();
                State::Text
            }
            (State::Control(number), b'0'..=b'9') => {
                let digit = usize::from(byte - b'0');
                State::Control(number.map(|number| number.saturating_mul(10).saturating_add(digit)))
            }
            (State::Control(_), b' '..=b'?') => State::Control(None),
            (State::Control(number), _) => {
                self.control(byte, number);
                State::Text
            }
        };
    }

    fn write(&mut self, byte: u8) {
        if self.is_lost && byte != b'\r' {
            self.forget();
        }
        match byte {
            b'\n' => self.next_row(),
            b'\r' => self.column = 0,
            _ => self.write_text(byte),
        }
    }

    fn write_text(&mut self, byte: u8) {
        // Letters beyond ASCII may be wide; only their first byte counts.
        self.column += match byte {
            b'\t' => 8,
            0x80..=0xbf => 0,
            0xc0.. => 2,
            _ => 1,
        };
        let row = &mut self.rows[self.row];
        row.width = row.width.max(self.column);
        match row.texts.last_mut() {
            Some(last) if self.goes_on => last.end = self.at + 1,
            _ => row.texts.push(self.at..self.at + 1),
        }
        self.goes_on = true;
    }

    fn next_row(&mut self) {
        self.column = 0;
        self.goes_on = false;
        self.row += 1;
        if self.row == self.rows.len() {
            self.rows.push(Row::default());
        }
        if self.rows.len() > 2 * HEIGHT && self.row >= HEIGHT {
            self.rows.drain(..HEIGHT);
            self.row -= HEIGHT;
        }
    }

    /// Follows a control sequence that ends with this byte.
    fn control(&mut self, end: u8, number: Option<usize>) {
        let count = number.unwrap_or(0).max(1);
        match (end, number) {
            // Colours and modes; an erasure of the whole screen, whose rows may be in its history.
            (b'm' | b'h' | b'l' | b'q' | b'n' | b't', _) | (b'J', Some(1..)) => {}
            (_, None) => self.forget(),
            (b'A' | b'F', _) => self.go_up(count),
            (b'B' | b'E', _) => self.go_down(count),
            (b'C', _) => self.column = self.column.saturating_add(count),
            (b'D', _) => self.column = self.column.saturating_sub(count),
            (b'G', _) => self.column = count - 1,
            (b'K', _) => self.erase_row(number),
            (b'J', _) => self.erase_below(),
            _ => self.forget(),
        }
        if matches!(end, b'E' | b'F') {
            self.column = 0;
        }
    }

    fn go_up(&mut self, count: usize) {
        self.goes_on = false;
        if self.rows[self.row].width > WIDTH {
            return self.forget();
        }
        for _ in 0..count {
            let is_reached = self.rows.len() - self.row < HEIGHT;
            if self.row == 0 || !is_reached || self.rows[self.row - 1].width > WIDTH {
                self.is_lost = true;
                return;
            }
            self.row -= 1;
        }
    }

    fn go_down(&mut self, count: usize) {
        self.goes_on = false;
        if self.is_lost || count >= self.rows.len() - self.row {
            return self.forget();
        }
        self.row += count;
    }

    fn erase_row(&mut self, number: Option<usize>) {
        let is_whole = number == Some(2) || (number == Some(0) && self.column == 0);
        if is_whole && !self.is_lost {
            self.erase(self.row);
        }
    }

    fn erase_below(&mut self) {
        let first = self.row + usize::from(self.column > 0 && !self.is_lost);
        (first..self.rows.len()).for_each(|row| self.erase(row));
    }

    fn erase(&mut self, row: usize) {
        self.goes_on = false;
        let row = &mut self.rows[row];
        row.width = 0;
        self.erased.append(&mut row.texts);
    }

    /// Begins anew where the cursor is, which is not known: nothing above it can be erased any more.
    fn forget(&mut self) {
        self.rows.clear();
        self.rows.push(Row::default());
        (self.row, self.is_lost, self.goes_on) = (0, false, false);
    }
}

/// What remains of a text without some ranges.
pub struct Rest<'a> {
    /// The ranges that are still to come.
    pub without: &'a [Range<usize>],
    /// Number of bytes so far.
    pub at: usize,
}

impl Rest<'_> {
    /// Passes on what remains of the next chunk.
    pub fn pass_on(&mut self, mut chunk: &[u8], mut sink: impl FnMut(&[u8])) {
        while let [range, later @ ..] = self.without {
            let (kept, others) =
                chunk.split_at(range.start.saturating_sub(self.at).min(chunk.len()));
            sink(kept);
            self.at += kept.len();
            let (left_out, others) =
                others.split_at(range.end.saturating_sub(self.at).min(others.len()));
            self.at += left_out.len();
            chunk = others;
            if self.at < range.end {
                return;
            }
            self.without = later;
        }
        self.at += chunk.len();
        sink(chunk);
    }
}

/// Returns the ranges of a text that a terminal no longer shows.
pub fn erased_in(read: impl Fn(&mut dyn FnMut(&[u8]))) -> Vec<Range<usize>> {
    let mut screen = Screen::default();
    read(&mut |chunk| screen.add_chunk(chunk));
    screen.erased.sort_unstable_by_key(|range| range.start);
    screen.erased
}

#[cfg(test)]
mod tests {
    use super::{HEIGHT, Rest, WIDTH, erased_in};

    /// What remains of a text, which is the same in chunks of any size.
    fn rest_of(text: &str) -> String {
        let bytes = text.as_bytes();
        let of = |size: usize| {
            let erased = erased_in(|sink| bytes.chunks(size).for_each(sink));
            let mut rest = Rest { without: &erased, at: 0 };
            let mut kept = Vec::new();
            bytes.chunks(size).for_each(|chunk| rest.pass_on(chunk, |piece| kept.extend(piece)));
            String::from_utf8_lossy(&kept).into_owned()
        };
        assert_eq!(of(1), of(text.len()), "{text:?}");
        of(3)
    }

    #[test]
    fn rows_that_are_erased_lose_their_text_alone() {
        let wide = format!("a\n{}\n\x1b[2A\x1b[J\x1b[1A\x1b[K", "w".repeat(WIDTH + 1));
        let far = format!("a\n{}\x1b[{HEIGHT}A\x1b[K", "\n".repeat(HEIGHT));
        for (text, rest) in [
            ("a\nb\n\x1b[1A\x1b[Kc\n", "a\n\n\x1b[1A\x1b[Kc\n"),
            ("a\nb\n\x1b[2A\x1b[0Jc", "\n\n\x1b[2A\x1b[0Jc"),
            ("a\n\x1b[1A\x1b[Kb\n\x1b[1A\x1b[2Kc\n", "\n\x1b[1A\x1b[K\n\x1b[1A\x1b[2Kc\n"),
            ("a\x1b[31mb\x1b[m\nc\r\x1b[K\r\x1b[1A\x1b[Kd", "\x1b[m\n\r\x1b[K\r\x1b[1A\x1b[Kd"),
            // Behind the first column the beginning of the row remains, and below the last row nothing is known.
            ("a\nb\x1b[1A\x1b[K", "a\nb\x1b[1A\x1b[K"),
            ("a\nb\n\x1b[2A\x1b[9B\x1b[1A\x1b[K", "a\nb\n\x1b[2A\x1b[9B\x1b[1A\x1b[K"),
            ("a\n\x1b7\x1b[1A\x1b[K", "\n\x1b7\x1b[1A\x1b[K"),
            ("a\nb\n\x1b[1A\x1b8\x1b[1A\x1b[K", "a\nb\n\x1b[1A\x1b8\x1b[1A\x1b[K"),
            (&wide, &wide),
            (&far, &far),
        ] {
            assert_eq!(rest_of(text), rest, "{text:?}");
        }
    }
}
