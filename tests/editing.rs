//! Property tests of edits: against a byte model, with diffs applied by separate code, and with the hints followed.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use trimtab::editing::{
    Difference, Edited, Refusal, RefusalCode, Replacement, SectionUpdate, append_to_file,
    edit_file, prepend_to_file, update_section,
};

/// Same as in `tests/laws.rs`.
fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let cases = number("TRIMTAB_CASES").and_then(|cases| u32::try_from(cases).ok()).unwrap_or(1000);
    let rng_seed = RngSeed::Fixed(number("TRIMTAB_SEED").unwrap_or(1));
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// Texts of few different pieces, so that they repeat, overlap and nearly match.
fn text(most: usize) -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "b",
        "ab",
        "aa",
        " ",
        "  ",
        "\t",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "é",
        "\u{1F600}",
        "\u{feff}",
        "\0",
        "$&",
        "\\n",
        "\"",
        "\u{2019}",
        "'",
        "&lt;",
        "<",
        "\u{2028}",
        "line of words\n",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..most).prop_map(|pieces| pieces.concat())
}

/// File contents, which may hold invalid UTF-8.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let junk = prop::collection::vec(prop::sample::select(vec![0xFF_u8, 0xC3, 0x80, b'\n']), 0..3);
    (text(40), junk, text(10))
        .prop_map(|(start, junk, end)| [start.as_bytes(), &junk, end.as_bytes()].concat())
}

/// Every position of `old`, including overlapping ones.
fn positions(content: &[u8], old: &[u8]) -> Vec<usize> {
    (0..=content.len()).filter(|at| content[*at..].starts_with(old)).collect()
}

/// Reference implementation of the edit, byte by byte.
fn model(content: &[u8], old: &[u8], new: &[u8], all: bool) -> Option<Vec<u8>> {
    let mut places = positions(content, old);
    if old.is_empty() || old == new || places.is_empty() || (!all && places.len() > 1) {
        return None;
    }
    let mut result = Vec::new();
    let mut at = 0;
    while at < content.len() {
        if places.contains(&at) {
            result.extend_from_slice(new);
            places.retain(|place| *place >= at + old.len());
            at += old.len();
        } else {
            result.push(content[at]);
            at += 1;
        }
    }
    Some(result)
}

/// Applies a unified diff by the format's definition and checks every context and removed line.
fn patched(old: &str, diff: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let mut result = String::new();
    let mut done = 0;
    let lines: Vec<&str> = diff.split_inclusive('\n').collect();
    for (index, line) in lines.iter().enumerate().skip(2) {
        let open = lines.get(index + 1).is_some_and(|next| next.starts_with('\\'));
        let body = &line[1..line.len() - usize::from(open)];
        match line.as_bytes()[0] {
            b'@' => {
                let numbers = line.split_whitespace().nth(1).unwrap().trim_start_matches('-');
                let (start, count) = numbers.split_once(',').unwrap_or((numbers, "1"));
                let start: usize = start.parse().unwrap();
                let first = if count == "0" { start } else { start - 1 };
                result.extend(old[done..first].iter().copied());
                done = first;
            }
            b' ' => {
                assert_eq!(old[done], body);
                result.push_str(body);
                done += 1;
            }
            b'-' => {
                assert_eq!(old[done], body);
                done += 1;
            }
            b'+' => result.push_str(body),
            b'\\' => {}
            other => panic!("a diff has no line that begins with {other}"),
        }
    }
    result.extend(old[done..].iter().copied());
    result
}

fn edited(content: &[u8], old: &str, new: &str, all: bool) -> Result<Edited, Refusal> {
    edit_file(content, "p", Replacement { old_string: old, new_string: new, replace_all: all })
}

/// A substring of the content; empty if the content is empty.
fn piece(content: &[u8], from: prop::sample::Index, len: usize) -> String {
    let text = String::from_utf8_lossy(content).into_owned();
    let chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return String::new();
    }
    chars.into_iter().skip(from.index(text.chars().count())).take(len).collect()
}

proptest! {
    #![proptest_config(config())]

    /// Law 18, against the model: the same bytes, or a refusal in the same cases.
    #[test]
    fn edits_are_those_of_the_model(
        content in content(), other in text(3), new in text(4), all: bool, cut: bool,
        from: prop::sample::Index, len in 1_usize..12,
    ) {
        let old = if cut { piece(&content, from, len) } else { other };
        let result = edited(&content, &old, &new, all);
        let expected = model(&content, old.as_bytes(), new.as_bytes(), all);
        prop_assert_eq!(result.as_ref().ok().map(|edited| &edited.content), expected.as_ref());
        if let Err(refusal) = result {
            let found = positions(&content, old.as_bytes()).len();
            let code = refusal.code();
            match (old.is_empty(), found) {
                (true, _) => prop_assert_eq!(code, RefusalCode::EmptyOldString),
                (_, 0) => prop_assert_eq!(code, RefusalCode::NotFound),
                (_, 1) => prop_assert_eq!(code, RefusalCode::NoChange),
                _ => prop_assert!(code == RefusalCode::SeveralMatches || (all && old == new)),
            }
        }
    }

    /// A diff describes the whole change: applied to the content before, it gives the content after.
    #[test]
    fn diffs_apply(content in text(60), new in text(6), all: bool, from: prop::sample::Index, len in 1_usize..8) {
        let old = piece(content.as_bytes(), from, len);
        let made = [
            edited(content.as_bytes(), &old, &new, all).ok(),
            Some(append_to_file(Some(content.as_bytes()), "p", &new)),
            Some(prepend_to_file(Some(content.as_bytes()), "p", &new)),
        ];
        for edited in made.into_iter().flatten() {
            let after = String::from_utf8(edited.content.clone()).unwrap();
            prop_assert_eq!(edited.diff.is_empty(), after == content);
            prop_assert_eq!(patched(&content, &edited.diff), after, "{}", edited.diff);
        }
    }

    /// Appending and prepending keep every byte.
    #[test]
    fn adding_keeps_every_byte(content in content(), new in text(6)) {
        let appended = append_to_file(Some(&content), "p", &new).content;
        prop_assert_eq!(appended, [content.as_slice(), new.as_bytes()].concat());
        let prepended = prepend_to_file(Some(&content), "p", &new).content;
        let mark = if content.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        // A mark of the text is left out if the file has one.
        let new = if mark > 0 { new.strip_prefix('\u{feff}').unwrap_or(&new) } else { &new };
        prop_assert_eq!(prepended, [&content[..mark], new.as_bytes(), &content[mark..]].concat());
    }

    /// The text of a candidate occurs in the file, so an edit with it succeeds or is refused for several matches. A
    /// text that differs from the file only in blanks, line ends or escapes gets a candidate.
    #[test]
    fn candidates_can_be_used(content in text(40), from: prop::sample::Index, len in 2_usize..20, mutation in 0..4) {
        let original = piece(content.as_bytes(), from, len);
        let changed = match mutation {
            0 => original.replace("\r\n", "\n").replace('\r', "\n"),
            1 => original.replace([' ', '\t'], ""),
            2 => original.replace('\n', "\\n"),
            _ => original.replace('\u{2019}', "'"),
        };
        if !changed.chars().any(char::is_alphanumeric) { return Ok(()) }
        // A cut may split an escape in the content.
        if mutation == 2 && content.contains(['\\', '&']) { return Ok(()) }
        let Err(refusal) = edited(content.as_bytes(), &changed, "NEW", false) else { return Ok(()) };
        if refusal.code() != RefusalCode::NotFound { return Ok(()) }
        prop_assert!(!refusal.candidates().is_empty(), "{content:?} {changed:?}");
        for candidate in refusal.candidates() {
            prop_assert_ne!(candidate.difference, Difference::Words, "{:?} {:?}", content, changed);
            prop_assert!(content.contains(&candidate.text));
            let line = 1 + content.split(&candidate.text).next().unwrap().matches('\n').count();
            prop_assert!(line <= candidate.start_line);
            let retried = edited(content.as_bytes(), &candidate.text, "NEW", false);
            let several = matches!(&retried, Err(refusal) if refusal.code() == RefusalCode::SeveralMatches);
            prop_assert!(retried.is_ok() || several);
        }
    }
}

/// Markdown with repeated headings, fences, quotes and blank lines.
fn markdown() -> impl Strategy<Value = String> {
    let blocks = vec![
        "# A\n",
        "## A\n",
        "## B\n",
        "### B\n",
        "### C d\n",
        "Title\n===\n",
        "Sub\n---\n",
        "text\n",
        "text\r\n",
        "\n",
        "\n",
        "\r\n",
        "```\n# no\n```\n",
        "> # quoted\n",
        "- # item\n",
        "<!-- \n# no\n-->\n\n",
        "## `x` > *y*\n",
        "## C #\n",
        "    # code\n",
        "last",
    ];
    prop::collection::vec(prop::sample::select(blocks), 1..14).prop_map(|blocks| blocks.concat())
}

fn updated(content: &str, header: &str, text: &str) -> Result<Edited, Refusal> {
    update_section(content.as_bytes(), "p", SectionUpdate { header, text })
}

proptest! {
    #![proptest_config(config())]

    /// Law 18 for sections: only one contiguous range changes, its diff applies, and a second run changes nothing.
    #[test]
    fn sections_change_in_one_place(
        content in markdown(),
        header in prop::sample::select(vec!["A", "## A", "B", "C d", "Title", "Sub", "A > B", "# A > ## B > C d", "x > y", "C"]),
        text in prop::sample::select(vec!["new", "\nnew\n\n- item\n", "#### deep\n\nx", "```\n# in\n```", "", "# A", "```\n"]),
    ) {
        let Ok(edited) = updated(&content, header, text) else { return Ok(()) };
        let after = String::from_utf8(edited.content.clone()).unwrap();
        prop_assert_eq!(patched(&content, &edited.diff), after.clone());
        let prefix = content.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let most = content.len().min(after.len()) - prefix;
        let ends = content.bytes().rev().zip(after.bytes().rev()).take(most);
        let suffix = ends.take_while(|(a, b)| a == b).count();
        let middle = &after.as_bytes()[prefix..after.len() - suffix];
        prop_assert!(middle.len() <= text.len() + 6, "{:?} to {:?}", content, after);
        let again = updated(&after, header, text).unwrap();
        prop_assert_eq!(String::from_utf8(again.content).unwrap(), after, "from {:?}", content);
    }

    /// Every section name that a refusal offers identifies one section.
    #[test]
    fn offered_names_lead_somewhere(content in markdown(), header in prop::sample::select(vec!["A", "B", "C", "none", "A > B"])) {
        let Err(refusal) = updated(&content, header, "new") else { return Ok(()) };
        if let Refusal::SeveralSections { paths, lines, .. } = &refusal {
            prop_assert!(lines.len() > 1 && paths.len() <= lines.len());
            for path in paths {
                let followed = updated(&content, path, "new");
                let code = followed.err().map(|refusal| refusal.code());
                prop_assert!(code.is_none() || code == Some(RefusalCode::BreaksSection), "{path} in {content:?}: {code:?}");
            }
        }
        if let Refusal::SectionNotFound { known, .. } = &refusal {
            for name in known {
                let code = updated(&content, name, "new").err().map(|refusal| refusal.code());
                prop_assert_ne!(code, Some(RefusalCode::SectionNotFound), "{} in {:?}", name, content);
            }
        }
    }
}

/// No operation takes time quadratic in its input.
#[test]
fn large_contents_are_handled() {
    let long = "a".repeat(2_000_000);
    assert_eq!(
        edited(long.as_bytes(), &long[..1_000_000], "b", false).unwrap_err().lines(),
        [1, 1]
    );
    let many = "x = 1\n".repeat(200_000);
    assert_eq!(edited(many.as_bytes(), "1", "2", true).unwrap().replacements, 200_000);
    let headings: String = (0..5_000).map(|n| format!("## H{n}\n\ntext\n\n")).collect();
    assert!(updated(&headings, "H4000", "new").is_ok());
    let same = "# A\n## X\n".repeat(2_000);
    assert_eq!(updated(&same, "X", "new").unwrap_err().lines().len(), 2_000);
}
