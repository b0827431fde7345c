//! The replacement text of an edit.

use super::cache::Cache;
use super::pass_view::stub;
use super::text_cache::{StubKey, StubText};
use crate::message::History;
use crate::projection::content::reader::{ContentReader, arguments};
use crate::projection::plan::PlannedEdit;
use crate::projection::replacement::clipped::ClipEnds;
use crate::projection::replacement::kind::Replacement;
use crate::projection::replacement::texts::{
    call_text, duplicate_pointer, ephemeral_stub, failure_mark, reread_pointer,
};

/// The settings of a policy that determine replacement texts.
pub trait TextSettings {
    /// The clear pass's placeholder; `None` if the pass is off.
    fn placeholder(&self) -> Option<&str>;
    /// How much the clip pass keeps of a tool's output; `None` if the pass is off.
    fn clip_ends(&self, tool: &str) -> Option<ClipEnds>;
    /// Whether stubs carry references for recall.
    fn recall(&self) -> bool;
}

/// Returns the replacement text of an edit; `None` if the block is removed.
pub fn replacement_text(
    history: &History,
    settings: &dyn TextSettings,
    edit: &PlannedEdit,
    reader: &dyn ContentReader,
    cache: &mut Cache,
) -> Option<String> {
    let id = edit.tool_use?;
    let tool_use = &history[id];
    let text = match edit.replacement {
        Replacement::Removed => return None,
        Replacement::Trimmed(_) | Replacement::Noted { .. } => {
            // A decision from a saved state can be about other arguments. They are then kept.
            let text = call_text(history, &cache.files, id, edit.replacement, reader);
            return text.or_else(|| arguments(history, id, reader));
        }
        Replacement::Ephemeral => {
            return Some(ephemeral_stub(history[edit.block].tokens, tool_use.is_error).to_owned());
        }
        Replacement::Duplicate { of } => {
            let pointer = duplicate_pointer(history, tool_use, &history[of]);
            return Some(pointer.unwrap_or_else(|| "[cleared]".to_owned()));
        }
        Replacement::Reread { latest, .. } => {
            return Some(reread_pointer(history, tool_use, latest));
        }
        Replacement::Placeholder => {
            let mut text = failure_mark(tool_use).to_owned() + settings.placeholder()?;
            if settings.recall() {
                let reference = cache.texts.digest(history, id, edit.block, reader).short();
                text.push_str(&format!(" [recall {reference}]"));
            }
            return Some(text);
        }
        Replacement::Cleared(style) => StubText::Cleared(style),
        Replacement::Clipped => {
            StubText::Clipped(settings.clip_ends(history.names().text(tool_use.tool))?)
        }
    };
    let key = StubKey { text, recall: settings.recall() };
    // The cached text may have been made for another policy; it is then made again.
    stub(&mut cache.texts, history, id, edit.block, key, reader);
    Some(cache.texts.stub_text(id).to_owned())
}
