//! What is kept from one projection of a history to the next. It can be dropped at any time and is rebuilt as needed.

use super::protection::ProtectedNames;
use super::retries::Retries;
use super::text_cache::TextCache;
use crate::message::{FileTimelines, History, UseId};

/// What was worked out of a history.
#[derive(Debug, Default)]
pub struct Cache {
    /// Digests and texts.
    pub texts: TextCache,
    /// What calls did to each file.
    pub files: FileTimelines,
    /// The names that the policy protects.
    pub protected: ProtectedNames,
    /// Which failures were tried again, where a pass asks for it.
    pub retries: Retries,
}

impl Cache {
    /// Makes room for a history's tool uses, and follows what they did to files.
    pub fn fit(&mut self, history: &History) {
        self.texts.fit(history.uses().len());
        self.files.follow(history);
    }

    /// Forgets the tool uses that are no longer in `history`, or whose results are not.
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
