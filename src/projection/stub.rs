//! The texts that stand where content was. Short: a long stub costs more than it tells, since the call itself, with
//! its arguments, still stands before it.

use super::{Edit, Replacement};
use crate::message::{History, ToolUse};
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

/// The stub of a cleared result, in at most `max_tokens` where that is possible at all.
pub fn cleared_stub(
    history: &History,
    tool_use: &ToolUse,
    size: TextSize,
    key_info: &str,
    max_tokens: u32,
) -> String {
    let what = what_it_was(history, tool_use);
    let fits = |text: &String| estimate_tokens(text.len() as u64) <= u64::from(max_tokens);
    let with_info = || {
        let rest = format!("[cleared {what}, {} chars; ; re-run if needed]", size.utf16).len();
        // Seven bytes are at least two tokens, whatever is cut.
        let room = (max_tokens as usize).saturating_mul(7) / 2;
        let info = keep_start(key_info, room.saturating_sub(rest));
        format!("[cleared {what}, {} chars; {info}; re-run if needed]", size.utf16)
    };
    let shorter = [
        placeholder_text(&what, size),
        format!("[cleared, {} chars]", size.utf16),
        "[cleared]".to_owned(),
    ];
    let first = (!key_info.is_empty()).then(with_info);
    first.into_iter().chain(shorter).find(fits).unwrap_or_else(|| "[cleared]".to_owned())
}

/// The plain stub: what it was, its true size, and how to get it back.
pub fn placeholder_text(what: &str, size: TextSize) -> String {
    format!("[cleared {what}, {} chars; re-run if needed]", size.utf16)
}

fn what_it_was(history: &History, tool_use: &ToolUse) -> String {
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

/// The text of an edit that the facts alone tell; the others are in the projection's cache or in the policy.
pub fn replacement_text(history: &History, edit: &Edit) -> Option<String> {
    let tool_use = &history.uses()[edit.tool_use.0];
    match edit.replacement {
        Replacement::Ephemeral => {
            Some(ephemeral_stub(history.blocks()[edit.block.0].tokens).to_owned())
        }
        Replacement::Duplicate { of } => {
            duplicate_pointer(history, tool_use, &history.uses()[of.0])
        }
        Replacement::Reread { latest } => Some(reread_pointer(history, tool_use, latest)),
        Replacement::Cleared
        | Replacement::Clipped
        | Replacement::Placeholder
        | Replacement::Removed => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{EPHEMERAL_STUBS, ephemeral_stub, is_worth, placeholder_text};
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
