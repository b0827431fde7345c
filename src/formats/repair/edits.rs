//! A repaired history, described: the host makes it of its own objects. No provider is known here.

use crate::message::Key;
use serde::Serialize;
use serde::ser::{Serialize as SerializeValue, SerializeMap, SerializeSeq, Serializer};

/// A value that was not in the history: the little of JSON that repairs need.
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
    /// An object, with its fields in their order.
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

/// A step into a message.
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
    /// Into an entry of a list.
    Item(u32),
}

/// The way into fields, and from there into an entry.
pub fn path_to(fields: &[Key], entry: Option<u32>) -> Vec<RepairStep> {
    let fields = fields.iter().map(|key| RepairStep::Field(key.text()));
    fields.chain(entry.map(RepairStep::Item)).collect()
}

/// A message of the repaired history.
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
        /// Its position.
        message: usize,
    },
    /// A copy of a message of the host's, with edits.
    Copy {
        /// Its position.
        message: usize,
        /// What is changed, in this order.
        edits: Vec<RepairEdit>,
    },
    /// A message that was not there, with edits that bring blocks into it.
    New {
        /// The message.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: NewValue,
        /// What is changed, in this order.
        edits: Vec<RepairEdit>,
    },
}

impl RepairEntry {
    /// A copy where there is something to edit, else the object itself.
    pub fn of(message: usize, edits: Vec<RepairEdit>) -> Self {
        if edits.is_empty() {
            RepairEntry::Keep { message }
        } else {
            RepairEntry::Copy { message, edits }
        }
    }

    /// With a further edit of the message at `index`.
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
    /// Puts a value in a place.
    Set {
        /// The place.
        path: Vec<RepairStep>,
        /// What stands there then.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "string | object"))]
        value: NewValue,
    },
    /// Takes a field out.
    Delete {
        /// The place.
        path: Vec<RepairStep>,
    },
    /// Makes the list in a place anew.
    Arrange {
        /// The place.
        path: Vec<RepairStep>,
        /// Its entries.
        items: Vec<RepairItem>,
    },
}

impl RepairEdit {
    /// Puts `value` into the field at the end of the way.
    pub fn set(way: &[Key], value: impl Into<NewValue>) -> Self {
        RepairEdit::Set { path: path_to(way, None), value: value.into() }
    }

    /// Takes the field out.
    pub fn delete(key: Key) -> Self {
        RepairEdit::Delete { path: path_to(&[key], None) }
    }

    /// Makes the list in the field anew.
    pub fn arrange(key: Key, items: Vec<RepairItem>) -> Self {
        RepairEdit::Arrange { path: path_to(&[key], None), items }
    }

    /// The same edit of what stands at the end of `way`.
    pub fn within(mut self, way: &[RepairStep]) -> Self {
        let (RepairEdit::Set { path, .. }
        | RepairEdit::Delete { path }
        | RepairEdit::Arrange { path, .. }) = &mut self;
        path.splice(0..0, way.iter().cloned());
        self
    }
}

/// An entry of a list that is made anew.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(tag = "item", rename_all = "lowercase")]
pub enum RepairItem {
    /// The host's own object, or a copy of it where there are edits.
    Keep {
        /// The message it comes from.
        message: usize,
        /// The way to it there.
        from: Vec<RepairStep>,
        /// What is changed in it.
        edits: Vec<RepairEdit>,
    },
    /// Something that was not there.
    New {
        /// The entry.
        #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "object"))]
        value: NewValue,
    },
}
