//! A repaired history, described: the host makes it of its own objects. No provider is known here.

use serde::Serialize;
use serde_json::Value as Json;

/// A step into a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", rename = "RepairStep")
)]
#[serde(untagged)]
pub enum PathStep {
    /// Into a field.
    Field(&'static str),
    /// Into an entry of a list.
    Item(u32),
}

/// A message of the repaired history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", rename = "RepairEntry")
)]
#[serde(tag = "entry", rename_all = "lowercase")]
pub enum Entry {
    /// The host's own object.
    Keep {
        /// Its position.
        message: usize,
    },
    /// A copy of a message of the host's, with edits.
    Copy {
        /// Its position.
        message: usize,
        /// What is changed, in this order.
        edits: Vec<Edit>,
    },
    /// A message that was not there, with edits that bring blocks into it.
    New {
        /// The message.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: Json,
        /// What is changed, in this order.
        edits: Vec<Edit>,
    },
}

impl Entry {
    /// A copy where there is something to edit, else the object itself.
    pub fn of(message: usize, edits: Vec<Edit>) -> Self {
        if edits.is_empty() { Entry::Keep { message } } else { Entry::Copy { message, edits } }
    }
}

/// One change of a message or block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", rename = "RepairEdit")
)]
#[serde(tag = "edit", rename_all = "lowercase")]
pub enum Edit {
    /// Puts a value in a place.
    Set {
        /// The place.
        path: Vec<PathStep>,
        /// What stands there then.
        value: String,
    },
    /// Takes a field out.
    Delete {
        /// The place.
        path: Vec<PathStep>,
    },
    /// Makes the list in a place anew.
    Arrange {
        /// The place.
        path: Vec<PathStep>,
        /// Its entries.
        items: Vec<Item>,
    },
}

/// An entry of a list that is made anew.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", rename = "RepairItem")
)]
#[serde(tag = "item", rename_all = "lowercase")]
pub enum Item {
    /// The host's own object, or a copy of it where there are edits.
    Keep {
        /// The message it comes from.
        message: usize,
        /// The way to it there.
        from: Vec<PathStep>,
        /// What is changed in it.
        edits: Vec<Edit>,
    },
    /// Something that was not there.
    New {
        /// The entry.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: Json,
    },
}
