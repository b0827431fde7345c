//! The mark by which a host says that a message's results go after their turn.

use crate::message::{Key, Value};
use std::cell::OnceCell;

/// The mark of one message, which may hold several results: it is looked up for the first of them alone, as what is
/// watched twice makes every later look for changes slower.
pub struct EphemeralMark<'m, V> {
    message: &'m V,
    known: OnceCell<bool>,
}

impl<'m, V: Value> EphemeralMark<'m, V> {
    /// The mark of this message.
    pub fn of(message: &'m V) -> Self {
        Self { message, known: OnceCell::new() }
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        let look_up = || self.message.watched(Key::Metadata).field(Key::Ephemeral).is_true();
        *self.known.get_or_init(look_up)
    }
}
