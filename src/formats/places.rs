//! Positions of the parts of a format's messages, as data: one table per format, and one walk for all of them.

use super::slot::Slot;
use crate::message::{BlockPath, Key, Kind, Value};

/// A step on the path from a message to an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Into a field.
    Field(Key),
    /// Into an entry of a list.
    Item(u32),
}

/// The positions at which a format stores the parts of a message.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// Field with the list of a message's parts.
    pub list: Key,
    /// Path from a result part to its content.
    pub result: &'static [Key],
    /// Form of the content at that path.
    pub result_slot: Slot,
    /// Path from the content to the object that has a result's text as a field.
    pub text_holder: &'static [Key],
    /// Form of such a text field.
    pub text_slot: Slot,
    /// Paths from a call to its arguments, one for each form of call.
    pub arguments: &'static [&'static [Key]],
    /// How a block is removed from its list.
    pub entry_slot: Slot,
}

impl Places {
    /// The positions that most formats share, with the parts in `content`.
    pub const CONTENT: Places = Places {
        list: Key::Content,
        result: &[Key::Content],
        result_slot: Slot::Content,
        text_holder: &[],
        text_slot: Slot::Content,
        arguments: &[&[Key::Input]],
        entry_slot: Slot::Entry,
    };

    /// Returns the path from a message to the content of the tool result at `path`.
    pub fn content_path(&self, path: BlockPath) -> Vec<Step> {
        match path {
            BlockPath::Item(i) => way(&[self.list], i, self.result),
            BlockPath::Part(i, key) => {
                let mut steps = way(&[self.list], i, self.result);
                steps.extend(self.text_holder.iter().chain([&key]).map(|key| Step::Field(*key)));
                steps
            }
            BlockPath::Shared(i, key) => way(&[self.list], i, &[key]),
            BlockPath::Field(key) | BlockPath::Whole(key) => vec![Step::Field(key)],
            BlockPath::Inside(key) => vec![Step::Field(key), Step::Field(Key::Content)],
            _ => vec![Step::Field(Key::Content)],
        }
    }

    /// Returns the form of the content at that path.
    pub fn content_slot(&self, path: BlockPath) -> Slot {
        if matches!(path, BlockPath::Part(..)) { self.text_slot } else { self.result_slot }
    }

    /// Returns the path from a message to the arguments of the call at `path`; their form is [`Slot::Arguments`].
    pub fn arguments_path(&self, path: BlockPath) -> Vec<Step> {
        self.arguments_in(path, self.arguments.first().copied().unwrap_or(&[]))
    }

    fn arguments_in(&self, path: BlockPath, arguments: &[Key]) -> Vec<Step> {
        match path {
            BlockPath::Item(i) => way(&[self.list], i, arguments),
            BlockPath::Call(i) => way(&[Key::ToolCalls], i, arguments),
            BlockPath::InsideCall(key, i) => way(&[key, Key::ToolCalls], i, arguments),
            BlockPath::Whole(key) => vec![Step::Field(key)],
            _ => Vec::new(),
        }
    }

    /// Returns the path to the whole block at `path`; empty for the message itself and for a block that belongs to
    /// another one.
    pub fn block_path(&self, path: BlockPath) -> Vec<Step> {
        match path {
            BlockPath::Item(i) | BlockPath::Part(i, _) => way(&[self.list], i, &[]),
            BlockPath::Call(i) => way(&[Key::ToolCalls], i, &[]),
            BlockPath::InsideCall(key, i) => way(&[key, Key::ToolCalls], i, &[]),
            BlockPath::InsideItem(key, i) => way(&[key, self.list], i, &[]),
            BlockPath::Field(key) => vec![Step::Field(key)],
            _ => Vec::new(),
        }
    }

    /// Reads the text of the tool result at `path` from the host's message.
    pub fn read_result<V: Value>(&self, message: &V, path: BlockPath, sink: &mut dyn FnMut(&[u8])) {
        if let Some(content) = follow(message, &self.content_path(path)) {
            self.content_slot(path).read_text(&content, sink);
        }
    }

    /// Reads the whole content of the tool result at `path` as JSON.
    pub fn read_whole<V: Value>(&self, message: &V, path: BlockPath, sink: &mut dyn FnMut(&[u8])) {
        if let Some(content) = follow(message, &self.content_path(path)) {
            content.read_json(sink);
        }
    }

    /// Like [`Places::read_result`], in readable form: the parts of a list are joined by line breaks.
    pub fn read_lines<V: Value>(&self, message: &V, path: BlockPath, sink: &mut dyn FnMut(&[u8])) {
        if let Some(content) = follow(message, &self.content_path(path)) {
            self.content_slot(path).read_lines(&content, sink);
        }
    }

    /// Reads the arguments of the call at `path`, as JSON if they are an object.
    pub fn read_arguments<V: Value>(
        &self,
        message: &V,
        path: BlockPath,
        sink: &mut dyn FnMut(&[u8]),
    ) {
        let mut forms = self.arguments.iter().filter_map(|arguments| {
            let value = follow(message, &self.arguments_in(path, arguments))?;
            (value.kind() != Kind::Absent).then_some(value)
        });
        if let Some(arguments) = forms.next() {
            Slot::Arguments.read_text(&arguments, sink);
        }
    }

    /// Reads the text of a text or reasoning block.
    pub fn read_text<V: Value>(&self, message: &V, path: BlockPath, sink: &mut dyn FnMut(&[u8])) {
        let way = match path {
            BlockPath::Content => vec![Step::Field(Key::Content)],
            BlockPath::Inside(key) => vec![Step::Field(key), Step::Field(Key::Content)],
            _ => self.block_path(path),
        };
        let held = follow(message, &way);
        let block = held.as_ref().unwrap_or(message);
        if block.kind() == Kind::Text {
            block.read_text(sink);
            return;
        }
        for key in [Key::Text, Key::Refusal, Key::Thinking] {
            block.field(key).read_text(sink);
        }
        for key in [Key::Summary, Key::Content] {
            read_entries(&block.field(key), sink);
        }
    }
}

/// Reads the texts of a list of parts, the form of reasoning in the Responses API.
fn read_entries<V: Value>(list: &V, sink: &mut dyn FnMut(&[u8])) {
    for i in 0..list.len() {
        list.item(i).field(Key::Text).read_text(sink);
    }
}

/// Returns the value at the end of a path; `None` for an empty path.
fn follow<V: Value>(message: &V, way: &[Step]) -> Option<V> {
    let step = |value: &V, step: &Step| match step {
        Step::Field(key) => value.field(*key),
        Step::Item(index) => value.item(*index as usize),
    };
    let (first, rest) = way.split_first()?;
    Some(rest.iter().fold(step(message, first), |value, next| step(&value, next)))
}

fn way(before: &[Key], item: u32, after: &[Key]) -> Vec<Step> {
    let field = |key: &Key| Step::Field(*key);
    before.iter().map(field).chain([Step::Item(item)]).chain(after.iter().map(field)).collect()
}
