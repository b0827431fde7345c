use super::{History, NameId, ToolUse};
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Media, MediaKind, MessageDraft, ResultDraft, Role,
    ToolArguments,
};
use crate::text::TextSize;
use proptest::prelude::*;

/// A message in a line: the role (`a`, `p` for a piece of an answer, `t`, `u`), then its blocks: `+id:tool` a call,
/// `-id:tool` a result, `!id:tool` a failed one that is ephemeral, otherwise text; `_` is no id.
fn draft(line: &str) -> MessageDraft {
    let mut words = line.split(' ');
    let (role, is_piece) = match words.next() {
        Some("a") => (Role::Assistant, false),
        Some("p") => (Role::Assistant, true),
        Some("t") => (Role::Tool, false),
        _ => (Role::User, false),
    };
    let blocks = words.map(block).collect();
    MessageDraft { is_piece, ..MessageDraft::new(role, blocks) }
}

fn block(word: &str) -> BlockDraft {
    let size = TextSize::of(word);
    let path = BlockPath::Content;
    let (id, tool) = word[1..].split_once(':').unwrap_or(("_", ""));
    let id = (id != "_").then(|| id.to_owned());
    let is_error = word.starts_with('!');
    match &word[..1] {
        "+" => {
            let arguments = ToolArguments { intent: Some(word.to_owned()), ..Default::default() };
            let call = CallDraft {
                id,
                name: tool.to_owned(),
                arguments,
                editable: true,
                provider_executed: false,
                takes_text: false,
            };
            BlockDraft::call(path, size, call)
        }
        "-" | "!" => BlockDraft::result(
            path,
            size,
            ResultDraft {
                id,
                name: Some(tool.to_owned()),
                by_name: true,
                is_error,
                ephemeral: is_error,
                media: if is_error { Media::one(MediaKind::Image) } else { Media::default() },
                text_only: !is_error,
                editable: true,
                is_stub: is_error,
                partial_result: is_error,
            },
        ),
        _ => BlockDraft::plain(BlockKind::Text, path, size),
    }
}

fn read(lines: &[&str]) -> History {
    let mut history = History::default();
    lines.iter().for_each(|line| history.push(draft(line)));
    history
}

/// All facts of a history, with names as text, because their numbers depend on what was read before.
fn facts(history: &History) -> String {
    let name = |tool_use: &ToolUse| history.names().text(tool_use.tool).to_owned();
    let uses: Vec<String> = history
        .uses()
        .iter()
        .map(|one| format!("{} {:?}", name(one), ToolUse { tool: NameId::FIRST, ..copy(one) }))
        .collect();
    format!(
        "{:?}\n{:?}\n{uses:?}\n{} {} {}",
        history.messages(),
        history.blocks(),
        history.tokens(),
        history.steps(),
        history.has_ephemeral()
    )
}

fn copy(one: &ToolUse) -> ToolUse {
    ToolUse {
        files: one.files.clone(),
        command: one.command.clone(),
        intent: one.intent.clone(),
        id: one.id.clone(),
        ..*one
    }
}

/// The number of the call of each result, in order.
fn answers(history: &History) -> String {
    let results = history.blocks().iter().filter(|block| block.kind == BlockKind::ToolResult);
    let call = |id: super::UseId| history[id].call.map_or("-".to_owned(), |_| id.0.to_string());
    let calls: Vec<String> = results.filter_map(|block| block.tool_use.map(call)).collect();
    calls.join(" ")
}

#[test]
fn results_answer_calls_in_their_order() {
    let cases: &[(&[&str], &str)] = &[
        (&["a +1:ls +1:cat", "t -1:", "t -1:"], "0 1"),
        (&["a +1:ls +2:cat", "t -2:", "t -1:"], "1 0"),
        (&["a +1:ls", "t -1:", "a +1:ls", "t -1:", "t -1:"], "0 1 -"),
        (&["a +_:ls +_:cat +_:ls", "u -_:ls -_:ls -_:cat"], "0 2 1"),
        (&["a +_:ls", "a +_:cat", "u -_:ls -_:cat"], "- 1"),
        (&["a +1:ls +2:ls", "u -_:ls -2:ls"], "0 1"),
        (&["a +1:ls +2:ls", "u -1:ls -_:ls"], "0 1"),
        (&["t -1:", "a +1:ls"], "-"),
    ];
    for (lines, expected) in cases {
        assert_eq!(answers(&read(lines)), *expected, "{lines:?}");
    }
}

#[test]
fn a_history_that_was_cut_and_grew_is_the_same_read_afresh() {
    let lines = ["a +1:a", "a +1:b", "t -1:", "u hi"];
    let mut history = read(&lines);
    history.truncate(3);
    history.push(draft("t !1:"));
    assert_eq!(facts(&history), facts(&read(&["a +1:a", "a +1:b", "t -1:", "t !1:"])));
}

proptest! {
    /// The facts depend only on the current messages, not on how they were added and removed.
    #[test]
    fn facts_depend_on_the_messages_alone(
        rounds in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::collection::vec(line(), 0..6)), 1..6,
        ),
    ) {
        let mut history = History::default();
        let mut lines: Vec<String> = Vec::new();
        for (cut, more) in rounds {
            let cut = cut.index(lines.len() + 1);
            history.truncate(cut);
            lines.truncate(cut);
            more.iter().for_each(|line| history.push(draft(line)));
            lines.extend(more);
            let fresh: Vec<&str> = lines.iter().map(String::as_str).collect();
            prop_assert_eq!(facts(&history), facts(&read(&fresh)), "{:?}", fresh);
        }
    }
}

fn line() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "+1:a", "+1:b", "+2:a", "+_:a", "+_:b", "-1:", "-2:", "!1:", "-_:a", "-_:b", "!_:a", "text",
    ]);
    let who = prop::sample::select(vec!["a", "a", "p", "t", "u"]);
    (who, prop::collection::vec(word, 0..4))
        .prop_map(|(who, words)| std::iter::once(who).chain(words).collect::<Vec<_>>().join(" "))
}
