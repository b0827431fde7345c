//! Reading the host's messages into facts, in one format.

use super::host::{Host, HostValue};
use crate::formats::{Detection, Format, check_is_message, detect};
use crate::message::{History, Problem};
use wasm_bindgen::JsValue;

/// The facts of the messages read so far, and the format that they are in.
pub struct ReadHistory {
    pub detection: Detection,
    pub history: History,
}

/// What reading further messages did to the facts.
pub enum Extended {
    /// Those that were there stayed.
    Appended,
    /// All were read again, in another format.
    ReadAnew,
}

impl ReadHistory {
    /// Nothing read yet. `format` fixes the format, which is else detected.
    pub fn new(format: Option<&str>) -> Result<Self, Problem> {
        let fixed = match format {
            Some(name) => Some(Format::from_name(name).ok_or_else(|| unknown_format(name))?),
            None => None,
        };
        let detection =
            Detection { format: fixed.unwrap_or(Format::OpenAiChat), certain: fixed.is_some() };
        Ok(Self { detection, history: History::default() })
    }

    /// Reads the messages up to `len` that were not read yet.
    pub fn extend(
        &mut self,
        host: &Host,
        messages: &JsValue,
        len: usize,
    ) -> Result<Extended, Problem> {
        let mut extended = Extended::Appended;
        let mut index = self.history.messages().len();
        while index < len {
            let message = HostValue::watched(host, host.message(messages, index as u32));
            check_is_message(&message, index)?;
            match self.detection.format.read(&message) {
                Ok(draft) => {
                    self.history.push(draft);
                    index += 1;
                }
                Err(_) => {
                    self.settle_format(host, messages, index)?;
                    index = 0;
                    extended = Extended::ReadAnew;
                }
            }
        }
        Ok(extended)
    }

    /// Message `index` is not of the format assumed so far: finds the one format of all messages up to it, to read
    /// them again, or says why there is none.
    fn settle_format(
        &mut self,
        host: &Host,
        messages: &JsValue,
        index: usize,
    ) -> Result<(), Problem> {
        let peek = |i: usize| HostValue::peeked(host, host.peek(messages, i as u32));
        let mixed = Problem::MixedFormats { index, expected: self.detection.format.name() };
        let found = detect(peek, index + 1)?;
        if self.detection.certain || found.format == self.detection.format {
            return Err(mixed);
        }
        self.detection = found;
        self.history.truncate(0);
        host.forget(0);
        Ok(())
    }
}

fn unknown_format(name: &str) -> Problem {
    let reason = format!("format {name:?} is not supported: use one of {}", Format::NAMES);
    Problem::InvalidOption { option: "format", reason }
}
