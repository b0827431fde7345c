//! The texts of replacements. They are short, because the call with its arguments still precedes the result: a longer
//! stub costs more than it tells.

use super::arguments::{noted, purpose, trimmed};
use super::key_facts::key_facts;
use super::kind::{ArgumentTrim, Replacement, StubStyle};
use super::note::note_text;
use super::subject::subject;
use crate::message::{Block, BlockId, FileTimelines, History, ToolUse, UseId};
use crate::projection::content::reader::{ContentReader, arguments};
use crate::text::{ReadText, TextSize, keep_start};
use crate::tokens::{estimate_bytes, estimate_tokens};

/// Maximum bytes of the tool's name and the call's id together in a pointer.
const POINTER_NAMES_LIMIT: usize = 120;

/// The stubs of ephemeral content, longest first, as they are for failures: others begin behind the first word. They
/// contain no size, so that they are the same however often they are applied.
const EPHEMERAL_STUBS: &[&str] =
    &["Error: [Ephemeral content was removed.]", "Error: [removed]", "Error: -"];

/// The first word of a failure's stub, empty for a success. Without it a cleared failure would look like a success in
/// formats that have no flag for failures.
pub fn failure_mark(tool_use: &ToolUse) -> &'static str {
    if tool_use.is_error { "Error: " } else { "" }
}

/// The stub of a cleared result. `reference` returns the reference for recall, if the stub contains one, and is called
/// after the result was read.
pub fn cleared_text(
    history: &History,
    id: UseId,
    block: BlockId,
    style: StubStyle,
    reference: &dyn Fn() -> Option<String>,
    read: ReadText<'_>,
) -> String {
    let facts = &history[block];
    if style.brief {
        return brief_stub(failure_mark(&history[id]), amount(facts), reference().as_deref());
    }
    let info = match style {
        StubStyle { outdated: true, .. } => "the file was changed since".to_owned(),
        StubStyle { summary: true, .. } => key_facts(history[id].origin, read),
        _ => String::new(),
    };
    let back = reference();
    cleared_stub(history, &history[id], facts, &info, back.as_deref(), style.max_tokens)
}

/// The size of a result as a number and its unit: images and files, or UTF-16 units of text.
type Amount = (u64, &'static str);

fn amount(block: &Block) -> Amount {
    let media = block.media;
    if media.count > 0 { (media.count.into(), media.unit()) } else { (block.size.utf16, "chars") }
}

/// The stub that contains only the size: the call before it has everything else.
fn brief_stub(mark: &str, (count, unit): Amount, reference: Option<&str>) -> String {
    let back = reference.map_or_else(String::new, |text| format!("; recall {text}"));
    format!("{mark}[cleared, {count} {unit}{back}]")
}

/// Maximum length of a [`brief_stub`] in bytes.
pub const BRIEF_STUB_LIMIT: usize = 48;

/// The length in bytes of the [`brief_stub`] of a result that is no failure. Computed without making the text, because it
/// is needed for every result at every step.
pub fn brief_stub_bytes(block: &Block, recall: bool) -> usize {
    bytes_of_brief_stub(amount(block), recall)
}

fn bytes_of_brief_stub((count, unit): Amount, recall: bool) -> usize {
    let digits = count.checked_ilog10().map_or(1, |power| power as usize + 1);
    let back = if recall { "; recall 01234567".len() } else { 0 };
    "[cleared,  ]".len() + digits + unit.len() + back
}

/// The size of a result. For images and files it includes their tokens and the step, because nothing else distinguishes
/// two screenshots.
pub fn whole_amount(block: &Block) -> String {
    let (count, unit) = amount(block);
    let amount = format!("{count} {unit}");
    if block.media.count == 0 {
        return amount;
    }
    format!("{amount}, {} tokens, step {}", block.tokens, block.step)
}

/// The stub of a cleared result, in at most `max_tokens` estimated tokens if possible. The shortest is `[cleared]`.
///
/// The second shortest is brief also for images: with their tokens it would be longer than the stub of its own text, and
/// be cleared again.
fn cleared_stub(
    history: &History,
    tool_use: &ToolUse,
    block: &Block,
    info: &str,
    reference: Option<&str>,
    max_tokens: u32,
) -> String {
    let what = subject(history, tool_use);
    let amount = whole_amount(block);
    let back =
        reference.map_or_else(|| "re-run if needed".to_owned(), |text| format!("recall {text}"));
    let mark = failure_mark(tool_use);
    let shorter = format!("{mark}[cleared {what}, {amount}; {back}]");
    // The info is cut to the bytes that `max_tokens` allow (3.5 bytes per token).
    let room = usize::try_from(estimate_bytes(max_tokens.into())).unwrap_or(usize::MAX);
    let info = keep_start(info, room.saturating_sub(shorter.len() + "; ".len()));
    let with_info = format!("{mark}[cleared {what}, {amount}; {info}; {back}]");
    let longest = if info.is_empty() { shorter.clone() } else { with_info };
    let fits = |text: &String| estimate_tokens(text.len() as u64) <= u64::from(max_tokens);
    let stubs = [longest, shorter, brief_stub(mark, self::amount(block), None)];
    stubs.into_iter().find(fits).unwrap_or_else(|| format!("{mark}[cleared]"))
}

/// The plain stub: what the result was, its original size, and how to get it back.
pub fn placeholder_text(what: &str, size: TextSize) -> String {
    format!("[cleared {what}, {} chars; re-run if needed]", size.utf16)
}

/// The length of ` [recall 01234567]`.
pub const RECALL_SUFFIX_BYTES: usize = 18;

/// The longest ephemeral stub of at most `tokens` estimated tokens, which are those of the content that it replaces.
pub fn ephemeral_stub(tokens: u64, is_error: bool) -> &'static str {
    let start = if is_error { 0 } else { "Error: ".len() };
    let mut stubs = EPHEMERAL_STUBS.iter().filter_map(|stub| stub.get(start..));
    stubs.find(|stub| estimate_tokens(stub.len() as u64) <= tokens).unwrap_or("-")
}

/// The pointer to an identical result; `None` if the target has no id, or if the names are too long.
pub fn duplicate_pointer(history: &History, tool_use: &ToolUse, of: &ToolUse) -> Option<String> {
    let tool = history.names().text(tool_use.tool);
    let id = of.id.as_deref().filter(|id| !id.is_empty())?;
    (tool.len() + id.len() <= POINTER_NAMES_LIMIT).then(|| {
        format!(
            "[Duplicate result: This {tool} call returned identical content to call ID {id}. Review that result above \
             instead of re-reading. Repeated identical reads waste context space.]"
        )
    })
}

/// The pointer to another read of the same lines.
pub fn reread_pointer(history: &History, tool_use: &ToolUse, latest: bool) -> String {
    let file = subject(history, tool_use);
    if latest {
        return format!("[Re-read of {file} - see latest read below for content]");
    }
    format!("[Re-read of {file} - see first read above for content]")
}

impl ArgumentTrim {
    /// Cuts the long texts in arguments; `None` as in [`trimmed`].
    pub fn of(self, json: &str) -> Option<String> {
        trimmed(json, self.max_chars, self.old_only)
    }
}

/// The replacement text of a call's arguments; `None` if it is not worth it, or if the replacement is not one of
/// arguments.
pub fn call_text(
    history: &History,
    files: &FileTimelines,
    id: UseId,
    replacement: Replacement,
    reader: &dyn ContentReader,
) -> Option<String> {
    let json = arguments(history, id, reader)?;
    match replacement {
        Replacement::Trimmed(trim) => trim.of(&json),
        Replacement::Noted { from } => {
            let purpose = |id| purpose(&arguments(history, id, reader)?);
            let note = note_text(history, files, from, id, &purpose)?;
            noted(&json, &note, ArgumentTrim::LONG.max_chars)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        BRIEF_STUB_LIMIT, EPHEMERAL_STUBS, brief_stub, bytes_of_brief_stub, ephemeral_stub,
        placeholder_text,
    };
    use crate::projection::replacement::worth::is_worth;
    use crate::text::TextSize;
    use crate::tokens::estimate_tokens;

    #[test]
    fn ephemeral_stubs_cost_no_more_and_stay_as_they_are() {
        for length in 0..200 {
            let text = "x".repeat(length);
            for is_error in [false, true] {
                let stub = ephemeral_stub(estimate_tokens(text.len() as u64), is_error);
                assert!(stub == "-" || stub.len() <= length + 2, "{length}: {stub}");
            }
        }
        for failed in EPHEMERAL_STUBS {
            let stub = failed.strip_prefix("Error: ").unwrap_or_default();
            for (stub, is_error) in [(stub, false), (*failed, true)] {
                assert_eq!(ephemeral_stub(estimate_tokens(stub.len() as u64), is_error), stub);
            }
        }
    }

    #[test]
    fn brief_stubs_are_as_long_as_is_said() {
        let chars = [0, 1, 9, 10, 99, 100, 12_345, u64::from(u32::MAX)];
        let files = [(1, "image"), (262_144, "audio files")];
        for amount in chars.map(|count| (count, "chars")).into_iter().chain(files) {
            for reference in [None, Some("1a2b3c4d")] {
                let bytes = brief_stub("", amount, reference).len();
                assert_eq!(bytes_of_brief_stub(amount, reference.is_some()), bytes);
                assert!(bytes <= BRIEF_STUB_LIMIT);
            }
        }
    }

    #[test]
    fn no_stub_is_worth_a_stub() {
        let shortest = placeholder_text("a", TextSize::of("x"));
        let longest = placeholder_text(&"p".repeat(80), TextSize::of(&"x".repeat(100_000)));
        assert!(!is_worth(
            longest.len() as u64,
            placeholder_text(&"p".repeat(80), TextSize::of("x")).len()
        ));
        assert!(!is_worth(shortest.len() as u64, shortest.len()));
    }
}
