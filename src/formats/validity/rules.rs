//! What differs from provider to provider, as data.

use crate::message::Key;

/// The rules of one provider that all providers have in some form.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// What ids must be.
    pub ids: Ids,
    /// Where a result may stand behind its call.
    pub reach: Reach,
    /// The way to the id from the object that is the call.
    pub call_id: &'static [Key],
    /// The way to the id from the object that is the result.
    pub result_id: &'static [Key],
}

/// What ids must be.
#[derive(Debug, Clone, Copy)]
pub struct Ids {
    /// Unique in the whole history, not only among the calls of one message.
    pub unique_in_history: bool,
    /// Letters, digits, `_` and `-`.
    pub plain: bool,
    /// They may be missing: the tool's name and the order tell then.
    pub optional: bool,
}

/// Where a result may stand behind its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In the next message.
    Next,
    /// In the run of messages of results right behind it.
    Run,
    /// Anywhere behind it.
    Later,
}
