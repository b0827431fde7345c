//! Data kept from one projection of a history to the next. It can be dropped at any time and is rebuilt as needed.

use super::protection::ProtectedNames;
use super::retries::Retries;
use super::text_cache::TextCache;
use crate::message::{FileTimelines, History, UseId};

/// Data computed from a history.
#[derive(Debug, Default)]
pub struct Cache {
    /// Digests of contents, and replacement texts.
    pub texts: TextCache,
    /// The effects of calls on each file.
    pub files: FileTimelines,
    /// The names and ids that the policy protects.
    pub protected: ProtectedNames,
    /// The failures that were retried; filled only if the retire pass is on.
    pub retries: Retries,
}

impl Cache {
    /// Resizes the cache to the history's tool uses, and updates the file timelines.
    pub fn fit(&mut self, history: &History) {
        self.texts.fit(history.uses().len());
        self.files.follow(history);
    }

    /// Forgets the tool uses that `history` no longer contains, and the results that it no longer contains.
    pub fn truncate(&mut self, history: &History) {
        self.files = FileTimelines::default();
        self.fit(history);
        self.texts.forget_calls();
        self.retries = Retries::default();
        for (i, _) in history.uses().iter().enumerate().filter(|(_, one)| one.result.is_none()) {
            self.texts.forget_result(UseId(i));
        }
    }
}
