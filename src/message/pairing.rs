//! Pairs results with calls, by one rule for facts and for repairs.
//!
//! A result answers the first unanswered call with its id in the newest step that has one. Ids may repeat once they are
//! answered, and parallel calls that share an id are answered in order. If a provider pairs without ids, a result
//! without an id answers the first unanswered call of its tool in the newest step with calls. Steps, because in some
//! formats each of several parallel calls is a message.

use super::names::Names;

/// Unanswered calls, by the keys with which results find them.
#[derive(Debug, Default)]
pub struct OpenCalls {
    keys: Names,
    /// For each key, the steps with open calls of it, in order.
    open: Vec<Vec<Waiting>>,
    /// For each call, whether it has a result.
    answered: Vec<bool>,
    newest_caller: u32,
}

/// The calls of one step that share a key.
#[derive(Debug)]
struct Waiting {
    step: u32,
    calls: Vec<usize>,
    /// Number of leading calls that are known to be answered.
    passed: usize,
}

/// The key that a call and its result share.
#[derive(Debug, Clone, Copy)]
pub enum PairKey<'a> {
    /// The provider's id, with the kind of call, because calls of different kinds may share an id.
    Id(Option<char>, &'a str),
    /// The tool, if there is no id.
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
    /// Adds an unanswered call of a step under one of its keys. Calls must be added in order.
    pub fn open(&mut self, call: usize, step: u32, key: PairKey<'_>) {
        self.note(call, step, key, true);
    }

    /// Adds a call of a step, which may already be answered.
    pub fn note(&mut self, call: usize, step: u32, key: PairKey<'_>, is_open: bool) {
        self.newest_caller = step;
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
        match waiting.last_mut().filter(|last| last.step == step) {
            Some(last) => last.calls.push(call),
            None => waiting.push(Waiting { step, calls: vec![call], passed: 0 }),
        }
    }

    /// Returns the call that a result with this key answers, and marks it as answered.
    pub fn answer(&mut self, key: PairKey<'_>) -> Option<usize> {
        let waiting = self.open.get_mut(self.keys.find(&key.text())?.index())?;
        while let Some(newest) = waiting.last_mut() {
            if matches!(key, PairKey::Tool(_)) && newest.step != self.newest_caller {
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

    /// Whether a call with this key was ever added.
    pub fn knows(&self, key: PairKey<'_>) -> bool {
        self.keys.find(&key.text()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenCalls, PairKey};

    /// The calls that results answer, in the order of the history. `+` is a call and `-` a result, followed by the
    /// step and the id or `@tool`.
    fn answers(history: &str) -> String {
        let mut open = OpenCalls::default();
        let mut calls = 0;
        let mut answers = Vec::new();
        for event in history.split(' ') {
            let (sign, rest) = event.split_at(1);
            let (step, text) = rest.split_at(1);
            let key = match text.strip_prefix('@') {
                Some(tool) => PairKey::Tool(tool),
                None => PairKey::Id(None, text),
            };
            if sign == "+" {
                open.open(calls, step.parse().unwrap_or(0), key);
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
