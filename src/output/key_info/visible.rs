//! Reads what a terminal shows of a text. The core wasm reads all of it.

use super::super::facts::KeyInfo;
use super::super::lines::ESCAPE;
use super::super::redraws::{Rest, erased_in};
use super::{KeyInfoReader, OutputKind};

impl KeyInfoReader {
    /// Reads a whole text, whose UTF-8 chunks `read` passes on. A text with escape sequences may be read again, without
    /// what a terminal no longer shows.
    pub fn read(mut self, read: impl Fn(&mut dyn FnMut(&[u8]))) -> KeyInfo {
        let anew = (self.kind == OutputKind::Log).then(|| self.clone());
        let mut has_escape = false;
        read(&mut |chunk| {
            has_escape |= anew.is_some() && memchr::memchr(ESCAPE, chunk).is_some();
            self.add_chunk(chunk);
        });
        let erased = if has_escape { erased_in(&read) } else { Vec::new() };
        let Some(mut reader) = anew.filter(|_| !erased.is_empty()) else { return self.finish() };
        let mut rest = Rest { without: &erased, at: 0 };
        read(&mut |chunk| rest.pass_on(chunk, |piece| reader.add_chunk(piece)));
        reader.finish()
    }
}
