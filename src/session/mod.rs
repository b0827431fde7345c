//! A session: one history of the host's, read into facts, and what the engine decided of it. What the boundary converts to
//! and from, without the boundary: messages are anything that gives [`Messages`](crate::formats::Messages).

mod contents;
mod edit_place;
mod recall;

pub use contents::Contents;
pub use edit_place::{EditPlace, place_of_edit};
pub use recall::Recalled;

use crate::formats::{Extended, Messages, Places, ReadHistory, Step};
use crate::message::{History, Problem};
use crate::projection::{Ask, BlockReport, EditReport, Engine, Policy};

/// One history of the host's: its facts, and what was decided of it.
#[derive(Debug)]
pub struct Session {
    /// What was read.
    pub read: ReadHistory,
    /// What was decided.
    pub engine: Engine,
}

impl Session {
    /// An empty history. `format` fixes its format, which is else detected.
    pub fn new(format: Option<&str>) -> Result<Self, Problem> {
        Ok(Self { read: ReadHistory::new(format)?, engine: Engine::default() })
    }

    /// The facts.
    pub fn history(&self) -> &History {
        &self.read.history
    }

    /// Where things stand in the messages.
    pub fn places(&self) -> &'static Places {
        self.read.format.places()
    }

    /// What reads the contents of messages of this history.
    pub fn contents<'m, M: Messages>(&self, messages: &'m M) -> Contents<'m, M> {
        Contents { messages, places: self.places() }
    }

    /// Reads the messages up to `len` that were not read yet. On an error nothing new is kept.
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

    /// Drops all messages from `len` on. What was decided of them is looked for in those that follow.
    pub fn truncate(&mut self, len: usize) {
        self.engine.truncate(&mut self.read.history, len);
    }

    /// Plans a view and gives it as numbers ([`Engine::plan_numbers`]). A sticky one takes over what was restored.
    pub fn plan(&mut self, messages: &impl Messages, ask: Ask<'_>) -> Vec<u32> {
        let contents = self.contents(messages);
        if ask.sticky {
            self.engine.find_decisions(&mut self.read.history, &contents);
        }
        self.engine.project(&self.read.history, ask, &contents);
        self.engine.plan_numbers(&self.read.history)
    }

    /// Plans that every tool result is cleared, and gives that as [`Session::plan`] does.
    pub fn plan_placeholders(&mut self, messages: &impl Messages, policy: &Policy) -> Vec<u32> {
        self.engine.clear_all(&self.read.history, policy, &self.contents(messages));
        self.engine.plan_numbers(&self.read.history)
    }

    /// Makes a plan that was made before the last one again, from its edits as numbers, to describe it.
    pub fn load(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        current_step: u32,
        edits: &[u32],
    ) {
        let contents = self.contents(messages);
        self.engine.load(&self.read.history, policy, current_step, edits, &contents);
    }

    /// What the last plan decided and the first so many requests, what was restored among it, in a form that outlives the
    /// process.
    pub fn state(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        requests: usize,
    ) -> Vec<u32> {
        let contents = self.contents(messages);
        self.engine.find_decisions(&mut self.read.history, &contents);
        self.engine.state(&self.read.history, policy, requests, &contents)
    }

    /// What stands where the `edit`-th edit of the last plan is; nothing where the block is taken out.
    pub fn replacement(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        edit: usize,
    ) -> Option<String> {
        let edit = *self.engine.plan().edits().get(edit)?;
        self.engine.text(&self.read.history, policy, &edit, &self.contents(messages))
    }

    /// Where the `edit`-th edit of the last plan is made.
    pub fn edit_place(&self, edit: usize) -> Option<EditPlace> {
        let edit = self.engine.plan().edits().get(edit)?;
        Some(place_of_edit(self.places(), self.history(), edit))
    }

    /// The edits of the last plan, described.
    pub fn edit_reports(&mut self, messages: &impl Messages, policy: &Policy) -> Vec<EditReport> {
        let contents = self.contents(messages);
        self.engine.edit_reports(&self.read.history, policy, &contents)
    }

    /// What became of the blocks of one message in the last plan, and why.
    pub fn explain(
        &mut self,
        messages: &impl Messages,
        policy: &Policy,
        message: usize,
    ) -> Vec<BlockReport> {
        let contents = self.contents(messages);
        self.engine.explain(&self.read.history, policy, message, &contents)
    }

    /// What each tool result of a message was, in a line each.
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

    /// The original of the result that a reference names, its digest verified.
    pub fn recall(
        &mut self,
        messages: &impl Messages,
        reference: &str,
    ) -> Result<Recalled, Problem> {
        let contents = self.contents(messages);
        let original = self.engine.recall(&self.read.history, reference, &contents)?;
        Ok(Recalled::of(&self.read.history, original))
    }

    /// The way from a message to all that a result in it holds; empty where there is none.
    pub fn content_way(&self, message: usize, block: usize) -> Vec<Step> {
        let block = self.history().blocks_of(message).1.get(block);
        block.map(|block| self.places().content_path(block.place)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
