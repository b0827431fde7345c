//! A session: one history of the host, read into facts, with the engine's decisions about it. It has everything that
//! the boundary converts to and from, but does not depend on the boundary: messages are any implementation of
//! [`Messages`](crate::formats::Messages).

mod contents;
mod edit_place;
mod recall;

pub use contents::Contents;
pub use edit_place::{EditPlace, place_of_edit};
pub use recall::Recalled;

use crate::formats::{Extended, Messages, Places, ReadHistory, Step};
use crate::message::{History, Problem};
use crate::projection::{Ask, BlockReport, EditReport, Engine, Policy};

/// One history of the host: its facts and the decisions about it.
#[derive(Debug)]
pub struct Session {
    /// The facts, and the format in which they were read.
    pub read: ReadHistory,
    /// The decisions and the last plan.
    pub engine: Engine,
}

impl Session {
    /// Creates a session with an empty history. `format` sets its format; `None` detects it.
    ///
    /// # Errors
    ///
    /// If the format is unknown.
    pub fn new(format: Option<&str>) -> Result<Self, Problem> {
        Ok(Self { read: ReadHistory::new(format)?, engine: Engine::default() })
    }

    /// The facts of the history.
    pub fn history(&self) -> &History {
        &self.read.history
    }

    /// The positions of content in the format's messages.
    pub fn places(&self) -> &'static Places {
        self.read.format.places()
    }

    /// Returns a reader of the contents of this history's messages.
    pub fn contents<'m, M: Messages>(&self, messages: &'m M) -> Contents<'m, M> {
        Contents { messages, places: self.places() }
    }

    /// Reads the messages up to `len` that were not read yet.
    ///
    /// # Errors
    ///
    /// If a message cannot be read. Then no new message is kept.
    pub fn extend(&mut self, messages: &impl Messages, len: usize) -> Result<(), Problem> {
        let before = self.history().messages().len();
        match self.read.extend(messages, len) {
            Ok(Extended::Appended) => Ok(()),
            Ok(Extended::ReadAnew) => {
                self.engine.forget_facts();
                Ok(())
            }
            Err(problem) => {
                let kept = before.min(self.history().messages().len());
                self.truncate(kept);
                messages.forget(kept);
                Err(problem)
            }
        }
    }

    /// Truncates the history to the first `len` messages. Decisions about removed messages are searched for in the
    /// messages that follow.
    pub fn truncate(&mut self, len: usize) {
        self.engine.truncate(&mut self.read.history, len);
    }

    /// Plans a view and returns it as numbers ([`Engine::plan_numbers`]). A sticky plan applies restored decisions.
    pub fn plan(&mut self, messages: &impl Messages, ask: Ask<'_>) -> Vec<u32> {
        let contents = self.contents(messages);
        if ask.sticky {
            self.engine.find_decisions(&mut self.read.history, ask.policy, &contents);
        }
        self.engine.project(&self.read.history, ask, &contents);
        self.engine.plan_numbers(&self.read.history)
    }

    /// Plans to clear every tool result, and returns the plan as [`Session::plan`] does.
    pub fn plan_placeholders(&mut self, messages: &impl Messages, policy: &Policy) -> Vec<u32> {
        self.engine.clear_all(&self.read.history, policy, &self.contents(messages));
        self.engine.plan_numbers(&self.read.history)
    }

    /// Restores an earlier plan from its numbers, so that it can be described ([`Engine::load`]).
    pub fn load(&mut self, messages: &impl Messages, policy: &Policy, numbers: &[u32]) {
        let contents = self.contents(messages);
        self.engine.load(&self.read.history, policy, numbers, &contents);
    }

    /// Serializes the decisions of the last plan and the first `requests` requests, including restored ones, to be
    /// saved.
    pub fn state(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        requests: usize,
    ) -> Vec<u32> {
        let contents = self.contents(messages);
        self.engine.find_decisions(&mut self.read.history, policy, &contents);
        self.engine.state(&self.read.history, policy, requests, &contents)
    }

    /// The replacement text of edit number `edit` of the last plan; `None` if the block is removed, or if there is no
    /// such edit.
    pub fn replacement(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        edit: usize,
    ) -> Option<String> {
        let edit = *self.engine.plan().edits().get(edit)?;
        self.engine.text(&self.read.history, policy, &edit, &self.contents(messages))
    }

    /// The position of edit number `edit` of the last plan; `None` if there is no such edit.
    pub fn edit_place(&self, edit: usize) -> Option<EditPlace> {
        let edit = self.engine.plan().edits().get(edit)?;
        Some(place_of_edit(self.places(), self.history(), edit))
    }

    /// Describes the edits of the last plan.
    pub fn edit_reports(&mut self, messages: &impl Messages, policy: &Policy) -> Vec<EditReport> {
        let contents = self.contents(messages);
        self.engine.edit_reports(&self.read.history, policy, &contents)
    }

    /// Explains for each block of a message whether the last plan keeps or edits it, and why.
    pub fn explain(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        message: usize,
    ) -> Vec<BlockReport> {
        let contents = self.contents(messages);
        self.engine.explain(&self.read.history, policy, message, &contents)
    }

    /// Summarizes each tool result of a message in one line.
    pub fn summaries(&self, messages: &impl Messages, message: usize) -> Vec<String> {
        Engine::summaries(self.history(), message, &self.contents(messages))
    }

    /// The active files at a step ([`Engine::active_files`]).
    pub fn active_files(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        step: Option<u32>,
    ) -> Vec<[String; 3]> {
        let contents = self.contents(messages);
        self.engine.active_files(&self.read.history, policy, step, &contents)
    }

    /// Returns the original of the result that a reference names, with its digest verified.
    ///
    /// # Errors
    ///
    /// [`Problem::NotRecallable`] if there is no such original.
    pub fn recall(
        &mut self,
        messages: &impl Messages,
        reference: &str,
    ) -> Result<Recalled, Problem> {
        let contents = self.contents(messages);
        let history = &self.read.history;
        let (id, block) = self.engine.recall(history, reference, &contents)?;
        let text = self.read.block_text(messages, history[block].message, history.position(block));
        Ok(Recalled::of(history, id, block, text))
    }

    /// The path from a message to the content of a block in it; empty if there is no such block.
    pub fn content_way(&self, message: usize, block: usize) -> Vec<Step> {
        let block = self.history().blocks_of(message).1.get(block);
        block.map(|block| self.places().content_path(block.place)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
