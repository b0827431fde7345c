//! The texts that stand where content was. Short: a long stub costs more than it tells, since the call itself, with
//! its arguments, still stands before it.

use super::clip::{ClipEnds, clipped_text};
use super::source::arguments;
use super::summary::key_facts;
use super::{Cache, Edit, Policy, Replacement, Source};
use crate::message::{BlockId, History, ToolUse, UseId};
use crate::text::{TextSize, keep_end, keep_start};
use crate::tokens::estimate_tokens;

/// Paths and tool names are cut to this many bytes.
const NAME_LIMIT: usize = 60;
/// A pointer to a call with a longer id, or from a tool with a longer name, would not be short.
const POINTER_NAMES_LIMIT: usize = 120;

/// The stub of ephemeral content. It names no size, so that it is the same however often it is put there.
const EPHEMERAL_STUBS: &[&str] = &["[Ephemeral content removed after its turn.]", "[removed]", "-"];

/// Whether a text is worth replacing by a stub.
///
/// A replacement must at least halve the text. That keeps the law of contraction with room to spare, and makes stubs
/// of stubs impossible: no stub is twice as long as another.
pub fn is_worth(size: TextSize, stub_bytes: usize) -> bool {
    size.bytes >= 2 * stub_bytes as u64
}

/// The settings that shape a text that stands in for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubKey {
    /// A stub that says what the result was.
    Cleared {
        /// How it is worded.
        style: StubStyle,
        /// Whether it carries a reference for recall.
        recall: bool,
    },
    /// Head and tail of the content.
    Clipped {
        /// How much of either.
        ends: ClipEnds,
        /// Whether it carries a reference for recall.
        recall: bool,
    },
}

/// How the stub of a cleared result is worded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubStyle {
    /// The most tokens it may take.
    pub max_tokens: u32,
    /// Whether it holds key facts of the content.
    pub summary: bool,
    /// Whether the file was changed since it was read.
    pub outdated: bool,
    /// Whether it says no more than the size, and how to get it back where there is a way.
    pub brief: bool,
}

impl StubStyle {
    /// What it was and how to get it back, no more.
    pub const PLAIN: StubStyle =
        StubStyle { max_tokens: 80, summary: false, outdated: false, brief: false };
    /// As little as there can be.
    pub const BRIEF: StubStyle = StubStyle { brief: true, ..Self::PLAIN };
}

impl StubKey {
    /// Whether the text carries a reference for recall.
    pub fn recall(self) -> bool {
        match self {
            StubKey::Cleared { recall, .. } | StubKey::Clipped { recall, .. } => recall,
        }
    }
}

/// The text that stands in for a result; `reference` gives its reference for recall, if it carries one, and is asked
/// when the result was read.
pub fn stub_text(
    history: &History,
    id: UseId,
    block: BlockId,
    key: StubKey,
    reference: &dyn Fn() -> Option<String>,
    source: &dyn Source,
) -> String {
    let size = history[block].size;
    match key {
        StubKey::Clipped { ends, .. } => clipped_text(block, size, ends, reference, source),
        StubKey::Cleared { style: StubStyle { brief: true, .. }, .. } => {
            brief_stub(size, reference().as_deref())
        }
        StubKey::Cleared { style, .. } => {
            let info = match style {
                StubStyle { outdated: true, .. } => "the file was changed since".to_owned(),
                StubStyle { summary: true, .. } => key_facts(history[id].origin, block, source),
                _ => String::new(),
            };
            let back = reference();
            cleared_stub(history, &history[id], size, &info, back.as_deref(), style.max_tokens)
        }
    }
}

/// The stub that only says how much was there: the call before it says what.
fn brief_stub(size: TextSize, reference: Option<&str>) -> String {
    let back = reference.map_or_else(String::new, |text| format!("; recall {text}"));
    format!("[cleared, {} chars{back}]", size.utf16)
}

/// No [`brief_stub`] is longer, in bytes.
pub const BRIEF_STUB_LIMIT: usize = 48;

/// The length of [`brief_stub`]: it is asked for at every step of every result, so none is made for that.
pub fn brief_stub_bytes(size: TextSize, recall: bool) -> usize {
    let digits = size.utf16.checked_ilog10().map_or(1, |power| power as usize + 1);
    let back = if recall { "; recall 01234567".len() } else { 0 };
    "[cleared,  chars]".len() + digits + back
}

/// The stub of a cleared result, in at most `max_tokens` where that is possible at all.
fn cleared_stub(
    history: &History,
    tool_use: &ToolUse,
    size: TextSize,
    info: &str,
    reference: Option<&str>,
    max_tokens: u32,
) -> String {
    let what = what_it_was(history, tool_use);
    let back =
        reference.map_or_else(|| "re-run if needed".to_owned(), |text| format!("recall {text}"));
    let fits = |text: &String| estimate_tokens(text.len() as u64) <= u64::from(max_tokens);
    let with_info = || {
        let rest = format!("[cleared {what}, {} chars; ; {back}]", size.utf16).len();
        // Seven bytes are at least two tokens, whatever is cut.
        let room = (max_tokens as usize).saturating_mul(7) / 2;
        let info = keep_start(info, room.saturating_sub(rest));
        format!("[cleared {what}, {} chars; {info}; {back}]", size.utf16)
    };
    let shorter = [
        format!("[cleared {what}, {} chars; {back}]", size.utf16),
        format!("[cleared, {} chars]", size.utf16),
        "[cleared]".to_owned(),
    ];
    let first = (!info.is_empty()).then(with_info);
    first.into_iter().chain(shorter).find(fits).unwrap_or_else(|| "[cleared]".to_owned())
}

/// The plain stub: what it was, its true size, and how to get it back.
pub fn placeholder_text(what: &str, size: TextSize) -> String {
    format!("[cleared {what}, {} chars; re-run if needed]", size.utf16)
}

/// ` [recall 01234567]`
pub const RECALL_SUFFIX_BYTES: usize = 18;

/// The file that a result shows, with its lines, or the tool.
pub fn what_it_was(history: &History, tool_use: &ToolUse) -> String {
    let tool = history.names().text(tool_use.tool);
    match tool_use.files.as_slice() {
        [(path, lines)] => {
            let path = keep_end(history.names().text(*path), NAME_LIMIT);
            match lines {
                Some((first, u32::MAX)) => format!("{path}:{first}-"),
                Some((first, last)) => format!("{path}:{first}-{last}"),
                None => path,
            }
        }
        _ if tool.is_empty() => "tool output".to_owned(),
        _ => format!("{} output", keep_start(tool, NAME_LIMIT)),
    }
}

/// The longest ephemeral stub that takes no more than so many tokens, those of what it replaces.
pub fn ephemeral_stub(tokens: u64) -> &'static str {
    let fits = |stub: &&&str| estimate_tokens(stub.len() as u64) <= tokens;
    EPHEMERAL_STUBS.iter().find(fits).or(EPHEMERAL_STUBS.last()).copied().unwrap_or("-")
}

/// The pointer to an identical result; `None` where names are too long for one.
pub fn duplicate_pointer(history: &History, tool_use: &ToolUse, of: &ToolUse) -> Option<String> {
    let tool = history.names().text(tool_use.tool);
    let id = of.id.as_deref()?;
    (tool.len() + id.len() <= POINTER_NAMES_LIMIT).then(|| {
        format!(
            "[Duplicate result: This {tool} call returned identical content to call ID {id}. Review that result above \
             instead of re-reading. Repeated identical reads waste context space.]"
        )
    })
}

/// The pointer to another read of the same lines.
pub fn reread_pointer(history: &History, tool_use: &ToolUse, latest: bool) -> String {
    let file = what_it_was(history, tool_use);
    if latest {
        return format!("[Re-read of {file} - see latest read below for content]");
    }
    format!("[Re-read of {file} - see first read above for content]")
}

/// The text that an edit puts in the place of a result; `None` where the block is taken out.
pub fn replacement_text(
    history: &History,
    policy: &Policy,
    edit: &Edit,
    source: &dyn Source,
    cache: &mut Cache,
) -> Option<String> {
    let id = edit.tool_use?;
    let tool_use = &history[id];
    let key = match edit.replacement {
        Replacement::Removed => return None,
        Replacement::Outlined(_) | Replacement::Noted { .. } => {
            // A decision of a saved state can be about other arguments: they stay then.
            return cache
                .call_text(history, id, edit.replacement, source)
                .or_else(|| arguments(history, id, source));
        }
        Replacement::Ephemeral => {
            return Some(ephemeral_stub(history[edit.block].tokens).to_owned());
        }
        Replacement::Duplicate { of } => {
            let pointer = duplicate_pointer(history, tool_use, &history[of]);
            return Some(pointer.unwrap_or_else(|| "[cleared]".to_owned()));
        }
        Replacement::Reread { latest, .. } => {
            return Some(reread_pointer(history, tool_use, latest));
        }
        Replacement::Placeholder => {
            let mut text = policy.clear.settings()?.placeholder.clone();
            if policy.recall {
                let reference = cache.digest(id, edit.block, source).short();
                text.push_str(&format!(" [recall {reference}]"));
            }
            return Some(text);
        }
        Replacement::Cleared(style) => StubKey::Cleared { style, recall: policy.recall },
        Replacement::Clipped => {
            let tool = history.names().text(tool_use.tool);
            let ends = policy.clip.settings()?.limits_of(tool).ends();
            StubKey::Clipped { ends, recall: policy.recall }
        }
    };
    // The cache may hold a text made for another policy by now; it is made again where it does.
    cache.stub(history, id, edit.block, key, source);
    Some(cache.stub_text(id).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{
        BRIEF_STUB_LIMIT, EPHEMERAL_STUBS, brief_stub, brief_stub_bytes, ephemeral_stub, is_worth,
        placeholder_text,
    };
    use crate::text::TextSize;
    use crate::tokens::estimate_tokens;

    #[test]
    fn ephemeral_stubs_cost_no_more_and_stay_as_they_are() {
        for length in 0..200 {
            let text = "x".repeat(length);
            let stub = ephemeral_stub(estimate_tokens(text.len() as u64));
            assert!(stub == "-" || stub.len() <= length + 2, "{length}: {stub}");
        }
        for stub in EPHEMERAL_STUBS {
            assert_eq!(ephemeral_stub(estimate_tokens(stub.len() as u64)), *stub);
        }
    }

    #[test]
    fn brief_stubs_are_as_long_as_is_said() {
        let chars = [0, 1, 9, 10, 99, 100, 12_345, u64::from(u32::MAX)];
        for utf16 in chars {
            let mut size = TextSize::default();
            size.utf16 = utf16;
            for reference in [None, Some("1a2b3c4d")] {
                let bytes = brief_stub(size, reference).len();
                assert_eq!(brief_stub_bytes(size, reference.is_some()), bytes);
                assert!(bytes <= BRIEF_STUB_LIMIT);
            }
        }
    }

    #[test]
    fn no_stub_is_worth_a_stub() {
        let shortest = placeholder_text("a", TextSize::of("x"));
        let longest = placeholder_text(&"p".repeat(80), TextSize::of(&"x".repeat(100_000)));
        assert!(!is_worth(
            TextSize::of(&longest),
            placeholder_text(&"p".repeat(80), TextSize::of("x")).len()
        ));
        assert!(!is_worth(TextSize::of(&shortest), shortest.len()));
    }
}
