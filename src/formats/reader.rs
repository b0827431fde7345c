//! Reads a host's messages into facts, in one format.

use super::detect::{check_is_message, detect};
use super::neutral::read_block;
use super::registry::Format;
use crate::message::{History, Problem, Value};
use crate::text::{collected, quoted};

/// Access to the messages of one history.
pub trait Messages {
    /// A value of these messages.
    type Value: Value;

    /// Returns a message to be read. Its values are watched: later changes by the host are found.
    fn watched(&self, index: usize) -> Self::Value;
    /// Returns a message without watching it.
    fn peeked(&self, index: usize) -> Self::Value;
    /// Stops watching all but the first `kept` messages.
    fn forget(&self, kept: usize);
}

/// The facts of the messages read so far, and their format.
#[derive(Debug)]
pub struct ReadHistory {
    /// The format.
    pub format: Format,
    /// The facts.
    pub history: History,
    /// Whether the host named the format, so that it is not detected.
    is_fixed: bool,
}

/// The effect of reading more messages on the existing facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extended {
    /// Existing facts were kept.
    Appended,
    /// All messages were read again, in another format.
    ReadAnew,
}

impl ReadHistory {
    /// Creates an empty history. `format` fixes the format; without it the format is detected.
    pub fn new(format: Option<&str>) -> Result<Self, Problem> {
        let fixed = match format {
            Some(name) => Some(Format::from_name(name).ok_or_else(|| unknown_format(name))?),
            None => None,
        };
        Ok(Self {
            format: fixed.unwrap_or(Format::FIRST),
            history: History::default(),
            is_fixed: fixed.is_some(),
        })
    }

    /// Reads the messages up to `len` that were not read yet. After an error, some of the new ones may have been read.
    pub fn extend(&mut self, messages: &impl Messages, len: usize) -> Result<Extended, Problem> {
        let mut extended = Extended::Appended;
        let mut index = self.history.messages().len();
        while index < len {
            let message = messages.watched(index);
            check_is_message(&message, index)?;
            match self.format.read(&message) {
                Ok(draft) => {
                    self.history.push(draft);
                    index += 1;
                }
                Err(_) => {
                    self.settle_format(messages, index)?;
                    index = 0;
                    extended = Extended::ReadAnew;
                }
            }
        }
        Ok(extended)
    }

    /// Returns the text of the `block`-th block of message `index` ([`read_block`]); empty if it has none.
    pub fn block_text(&self, messages: &impl Messages, index: usize, block: usize) -> String {
        let Some(block) = self.history.blocks_of(index).1.get(block) else { return String::new() };
        let message = messages.peeked(index);
        collected(|sink| read_block(self.format.places(), block, &message, sink))
    }

    /// Called if message `index` is not in the format assumed so far. Detects the one format of all messages up to it
    /// and clears the facts, so that they are read again. Returns an error if there is no such format.
    fn settle_format(&mut self, messages: &impl Messages, index: usize) -> Result<(), Problem> {
        let expected = self.format.name();
        let named = |problem| match problem {
            Problem::MixedFormats { index, .. } if self.is_fixed => {
                Problem::OtherThanAsked { index, asked: expected }
            }
            other => other,
        };
        let found = detect(|i| messages.peeked(i), index + 1).map_err(named)?;
        if self.is_fixed || found == self.format {
            return Err(named(Problem::MixedFormats { index, expected }));
        }
        self.format = found;
        self.history.truncate(0);
        messages.forget(0);
        Ok(())
    }
}

fn unknown_format(name: &str) -> Problem {
    let reason = format!("format {} is not supported: use one of {}", quoted(name), Format::NAMES);
    Problem::InvalidOption { option: "format", reason }
}

#[cfg(test)]
mod tests {
    use super::{Extended, Messages, ReadHistory};
    use crate::message::{JsonValue, Problem, ProblemCode};
    use serde_json::{Value as Json, json};

    impl<'a> Messages for &'a [Json] {
        type Value = JsonValue<'a>;

        fn watched(&self, index: usize) -> JsonValue<'a> {
            JsonValue(self.get(index))
        }

        fn peeked(&self, index: usize) -> JsonValue<'a> {
            self.watched(index)
        }

        fn forget(&self, _: usize) {}
    }

    type Read = Result<(Extended, &'static str), ProblemCode>;

    /// Reads `before` messages, and then all of them.
    fn read(format: Option<&str>, messages: &Json, before: usize) -> Read {
        let list: &[Json] = messages.as_array().map_or(&[], Vec::as_slice);
        let code = |problem: Problem| problem.code();
        let mut history = ReadHistory::new(format).map_err(code)?;
        history.extend(&list, before).map_err(code)?;
        let extended = history.extend(&list, list.len()).map_err(code)?;
        assert_eq!(history.history.messages().len(), list.len());
        Ok((extended, history.format.name()))
    }

    #[test]
    fn the_format_is_chosen_once_and_again_where_a_message_tells_better() {
        let user = || json!({"role": "user", "content": "go"});
        let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ls", "input": {}}]});
        let chat = json!({"role": "tool", "tool_call_id": "a", "content": "x"});
        let cases: &[(Option<&str>, Json, usize, Read)] = &[
            (None, json!([]), 0, Ok((Extended::Appended, "openai-chat"))),
            (None, json!([user(), user()]), 1, Ok((Extended::Appended, "openai-chat"))),
            (None, json!([user(), call]), 1, Ok((Extended::ReadAnew, "anthropic"))),
            (Some("anthropic"), json!([user(), call]), 1, Ok((Extended::Appended, "anthropic"))),
            (Some("openai-chat"), json!([user(), call]), 1, Err(ProblemCode::MixedFormats)),
            (None, json!([user(), call, chat]), 2, Err(ProblemCode::MixedFormats)),
            (None, json!([user(), chat, call]), 2, Err(ProblemCode::MixedFormats)),
            (None, json!([user(), 7]), 1, Err(ProblemCode::InvalidMessage)),
            (Some("openai"), json!([]), 0, Err(ProblemCode::InvalidOption)),
        ];
        for (format, messages, before, expected) in cases {
            assert_eq!(read(*format, messages, *before), *expected, "{format:?} {messages}");
        }
    }

    #[test]
    fn what_only_forgotten_messages_told_does_not_hold() -> Result<(), Problem> {
        let user = || json!({"role": "user", "content": "go"});
        let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ls", "input": {}}]});
        let item =
            json!({"type": "function_call", "call_id": "a", "name": "ls", "arguments": "{}"});
        let mut read = ReadHistory::new(None)?;
        read.extend(&[user(), call].as_slice(), 2)?;
        read.history.truncate(1);
        read.extend(&[user(), item].as_slice(), 2)?;
        assert_eq!(read.format.name(), "openai-responses");
        Ok(())
    }

    #[test]
    fn blocks_have_their_texts() -> Result<(), Problem> {
        let messages = json!([
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [{"type": "text", "text": "é"}, {"type": "tool_use", "id": "a", "name": "ls", "input": {"p": 1}}]},
        ]);
        let list: &[Json] = messages.as_array().map_or(&[], Vec::as_slice);
        let mut read = ReadHistory::new(None)?;
        read.extend(&list, list.len())?;
        let texts =
            [(0, 0), (1, 0), (1, 1), (1, 2)].map(|(i, block)| read.block_text(&list, i, block));
        assert_eq!(texts, ["go", "é", r#"{"p":1}"#, ""]);
        Ok(())
    }
}
