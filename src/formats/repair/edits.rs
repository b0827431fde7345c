//! Description of a repaired history, from which TypeScript builds it out of the host's objects. Names no provider.

use crate::message::Key;
use serde::Serialize;
use serde::ser::{Serialize as SerializeValue, SerializeMap, SerializeSeq, Serializer};

/// A value that is not part of the history: the subset of JSON that repairs need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// A text.
    Text(String),
    /// `true`.
    True,
    /// A small number.
    Number(u8),
    /// A list.
    List(Vec<NewValue>),
    /// An object; the order of its fields is kept.
    Object(Vec<(Key, NewValue)>),
}

impl From<String> for NewValue {
    fn from(text: String) -> Self {
        NewValue::Text(text)
    }
}

impl From<&str> for NewValue {
    fn from(text: &str) -> Self {
        NewValue::Text(text.to_owned())
    }
}

impl SerializeValue for NewValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            NewValue::Text(text) => serializer.serialize_str(text),
            NewValue::True => serializer.serialize_bool(true),
            NewValue::Number(number) => serializer.serialize_u8(*number),
            NewValue::List(entries) => {
                let mut list = serializer.serialize_seq(Some(entries.len()))?;
                for entry in entries {
                    list.serialize_element(entry)?;
                }
                list.end()
            }
            NewValue::Object(fields) => {
                let mut object = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    object.serialize_entry(key.text(), value)?;
                }
                object.end()
            }
        }
    }
}

/// A step of a path into a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(untagged)]
pub enum RepairStep {
    /// Into a field.
    Field(&'static str),
    /// Into a list entry.
    Item(u32),
}

/// Returns a path through fields, then into an entry if one is given.
pub fn path_to(fields: &[Key], entry: Option<u32>) -> Vec<RepairStep> {
    let fields = fields.iter().map(|key| RepairStep::Field(key.text()));
    fields.chain(entry.map(RepairStep::Item)).collect()
}

/// One message of the repaired history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(tag = "entry", rename_all = "lowercase")]
pub enum RepairEntry {
    /// The host's own object.
    Keep {
        /// Its position in the history.
        message: usize,
    },
    /// A copy of one of the host's messages, with edits.
    Copy {
        /// Its position in the history.
        message: usize,
        /// Edits, in order.
        edits: Vec<RepairEdit>,
    },
    /// A new message, with edits that add blocks to it.
    New {
        /// The message.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: NewValue,
        /// Edits, in order.
        edits: Vec<RepairEdit>,
    },
}

impl RepairEntry {
    /// Returns a copy if there are edits, else the host's object.
    pub fn of(message: usize, edits: Vec<RepairEdit>) -> Self {
        if edits.is_empty() {
            RepairEntry::Keep { message }
        } else {
            RepairEntry::Copy { message, edits }
        }
    }

    /// Adds an edit of the message at `index`.
    pub fn with(self, index: usize, edit: RepairEdit) -> Self {
        let mut edits = match self {
            RepairEntry::Copy { edits, .. } => edits,
            _ => Vec::new(),
        };
        edits.push(edit);
        RepairEntry::of(index, edits)
    }
}

/// One change of a message or block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(tag = "edit", rename_all = "lowercase")]
pub enum RepairEdit {
    /// Sets the value at a path.
    Set {
        /// The path.
        path: Vec<RepairStep>,
        /// The new value.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "string | object"))]
        value: NewValue,
    },
    /// Removes a field.
    Delete {
        /// The path.
        path: Vec<RepairStep>,
    },
    /// Replaces the entries of a list.
    Arrange {
        /// The path of the list.
        path: Vec<RepairStep>,
        /// The new entries.
        items: Vec<RepairItem>,
    },
}

impl RepairEdit {
    /// Sets the field at the end of the path to `value`.
    pub fn set(way: &[Key], value: impl Into<NewValue>) -> Self {
        RepairEdit::Set { path: path_to(way, None), value: value.into() }
    }

    /// Removes the field.
    pub fn delete(key: Key) -> Self {
        RepairEdit::Delete { path: path_to(&[key], None) }
    }

    /// Replaces the entries of the list in a field.
    pub fn arrange(key: Key, items: Vec<RepairItem>) -> Self {
        RepairEdit::Arrange { path: path_to(&[key], None), items }
    }

    /// Returns the same edit, relative to the value at `way`.
    pub fn within(mut self, way: &[RepairStep]) -> Self {
        let (RepairEdit::Set { path, .. }
        | RepairEdit::Delete { path }
        | RepairEdit::Arrange { path, .. }) = &mut self;
        path.splice(0..0, way.iter().cloned());
        self
    }
}

/// An entry of a replaced list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(tag = "item", rename_all = "lowercase")]
pub enum RepairItem {
    /// The host's own object, or a copy of it if there are edits.
    Keep {
        /// The message it comes from.
        message: usize,
        /// Its path there.
        from: Vec<RepairStep>,
        /// Edits of it.
        edits: Vec<RepairEdit>,
    },
    /// A new entry.
    New {
        /// The entry.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: NewValue,
    },
}
