//! Which result answers which call: the one rule, for facts and for repairs.
//!
//! A result answers an unanswered call before it that has its id, of the newest message that has one the first. Ids may
//! repeat once they are answered, and parallel calls that share one are answered in their order. Where a provider pairs
//! without ids, a result that has none answers so the first call of its tool in the newest message that calls.

use super::names::Names;

/// Calls without an answer, and the keys that they are known by.
#[derive(Debug, Default)]
pub struct OpenCalls {
    keys: Names,
    /// By key, the messages that have open calls of it, in order.
    open: Vec<Vec<Waiting>>,
    /// By call: whether it has its result.
    answered: Vec<bool>,
    newest_caller: usize,
}

/// The calls of one message that share a key.
#[derive(Debug)]
struct Waiting {
    message: usize,
    calls: Vec<usize>,
    /// How many of them, from the first on, are known to have their results.
    passed: usize,
}

/// What a call and its result have in common.
#[derive(Debug, Clone, Copy)]
pub enum PairKey<'a> {
    /// The provider's id, and what kind of call has it: with one id, calls of two kinds are two calls.
    Id(Option<char>, &'a str),
    /// The tool, where there is no id.
    Tool(&'a str),
}

impl PairKey<'_> {
    fn text(self) -> String {
        let (mark, kind, text) = match self {
            PairKey::Id(kind, id) => ('i', kind, id),
            PairKey::Tool(tool) => ('t', None, tool),
        };
        let mut key = String::with_capacity(text.len() + 3);
        key.push(mark);
        key.push(kind.unwrap_or(' '));
        key.push_str(text);
        key
    }
}

impl OpenCalls {
    /// Notes a call of a message that waits for its result, under one of the keys that it can be known by. Calls come in
    /// their order.
    pub fn open(&mut self, call: usize, message: usize, key: PairKey<'_>) {
        self.note(call, message, key, true);
    }

    /// Notes a call of a message, which may have its result already.
    pub fn note(&mut self, call: usize, message: usize, key: PairKey<'_>, is_open: bool) {
        self.newest_caller = message;
        let key = self.keys.intern(&key.text()).index();
        self.answered.resize(self.answered.len().max(call + 1), false);
        self.answered[call] = !is_open;
        if !is_open {
            return;
        }
        if self.open.len() <= key {
            self.open.resize_with(key + 1, Vec::new);
        }
        let waiting = &mut self.open[key];
        match waiting.last_mut().filter(|last| last.message == message) {
            Some(last) => last.calls.push(call),
            None => waiting.push(Waiting { message, calls: vec![call], passed: 0 }),
        }
    }

    /// Takes the call that a result with this key answers.
    pub fn answer(&mut self, key: PairKey<'_>) -> Option<usize> {
        let waiting = self.open.get_mut(self.keys.find(&key.text())?.index())?;
        while let Some(newest) = waiting.last_mut() {
            if matches!(key, PairKey::Tool(_)) && newest.message != self.newest_caller {
                return None;
            }
            while let Some(call) = newest.calls.get(newest.passed) {
                newest.passed += 1;
                if !std::mem::replace(&mut self.answered[*call], true) {
                    return Some(*call);
                }
            }
            waiting.pop();
        }
        None
    }

    /// Whether a call with this key was ever noted.
    pub fn knows(&self, key: PairKey<'_>) -> bool {
        self.keys.find(&key.text()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenCalls, PairKey};

    /// What results answer, in the order of the history: `+` and `-` are calls and results, then message, id or tool.
    fn answers(history: &str) -> String {
        let mut open = OpenCalls::default();
        let mut calls = 0;
        let mut answers = Vec::new();
        for event in history.split(' ') {
            let (sign, rest) = event.split_at(1);
            let (message, text) = rest.split_at(1);
            let key = match text.strip_prefix('@') {
                Some(tool) => PairKey::Tool(tool),
                None => PairKey::Id(None, text),
            };
            if sign == "+" {
                open.open(calls, message.parse().unwrap_or(0), key);
                calls += 1;
            } else {
                answers.push(open.answer(key).map_or("-".to_owned(), |call| call.to_string()));
            }
        }
        answers.join(" ")
    }

    #[test]
    fn calls_are_answered_in_their_order() {
        let cases = [
            ("+0a +0b -1b -1a", "1 0"),
            ("+0a +0a -1a -1a -1a", "0 1 -"),
            ("+0a +2a -3a -3a", "1 0"),
            ("+0a -1a +2a -3a", "0 1"),
            ("-0a +1a -2a", "- 0"),
            ("+0@ls +0@cat +0@ls -1@ls -1@ls -1@cat -1@ls", "0 2 1 -"),
            ("+0@ls +2@cat -3@ls -3@cat", "- 1"),
            ("+0@ls -1ls", "-"),
        ];
        for (history, expected) in cases {
            assert_eq!(answers(history), expected, "{history}");
        }
    }
}
