//! Laws of the file index: it is a function of its files, and a digest stays within its number of lines.

use proptest::prelude::*;
use trimtab::index::{DigestRequest, FileIndex, Hit, Query, Section};

/// Files that refer to each other and share words.
fn content() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        (0..6).prop_map(|n| format!("fn makeThing{n}() {{")),
        (0..6).prop_map(|n| format!("    makeThing{n}(count, name_{n})")),
        (0..6).prop_map(|n| format!("/// Thing {n} is read from the store.")),
        Just("}".to_owned()),
        Just(String::new()),
    ];
    prop::collection::vec(line, 0..60).prop_map(|lines| lines.join("\n"))
}

fn sections() -> impl Strategy<Value = Vec<Section>> {
    let section = (0..6, 1_usize..60, 0_usize..9).prop_map(|(n, start_line, length)| Section {
        name: (n > 0).then(|| format!("makeThing{n}")),
        start_line,
        end_line: start_line + length,
    });
    prop::collection::vec(section, 0..6)
}

/// Step on an index: file number, then the text and sections to add or replace, or `None` to remove the file.
type Step = (u8, Option<(String, Vec<Section>)>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0_u8..6, prop::option::weighted(0.8, (content(), sections()))), 1..16)
}

const TEXTS: [&str; 3] = ["makeThing3 of the store", "count", "what is name_2 read from"];

/// Results of all queries, with file numbers replaced by paths.
fn answers(index: &FileIndex, paths: &[String]) -> Vec<(String, usize, usize, u64)> {
    let path_of = |hit: &Hit| paths.iter().find(|path| index.slot(path) == Some(hit.file)).cloned();
    let queries = TEXTS.iter().flat_map(|text| {
        [true, false].map(|symbols| Query { text, conversation: "makeThing1", symbols })
    });
    let hits = queries.flat_map(|query| index.query(query, 5));
    let told = hits.map(|hit| {
        (path_of(&hit).unwrap_or_default(), hit.start_line, hit.end_line, hit.score.to_bits())
    });
    told.collect()
}

proptest! {
    #[test]
    fn an_index_is_a_function_of_its_files(steps in steps()) {
        let paths: Vec<String> = (0..6).map(|n| format!("src/file{n}.rs")).collect();
        let mut index = FileIndex::default();
        let mut last = vec![None; 6];
        for (file, added) in &steps {
            let path = &paths[*file as usize];
            match added {
                Some((text, sections)) => {
                    index.add(path, text, sections);
                }
                None => prop_assert_eq!(index.remove(path), last[*file as usize].is_some()),
            }
            last[*file as usize] = added.as_ref();
        }
        let mut fresh = FileIndex::default();
        for (path, file) in paths.iter().zip(&last).rev() {
            if let Some((text, sections)) = file {
                fresh.add(path, text, sections);
            }
        }
        prop_assert_eq!(index.len(), fresh.len());
        prop_assert_eq!(answers(&index, &paths), answers(&fresh, &paths));
        let digests = |index: &FileIndex| paths.iter().zip(&last).map(|(path, file)| {
            let (text, sections) = file.cloned().unwrap_or_default();
            let conversation = "makeThing3 of the store";
            index.digest(DigestRequest { path, text: &text, sections: &sections, conversation, lines: 12 })
        }).collect::<Vec<_>>();
        prop_assert_eq!(digests(&index), digests(&fresh));
    }

    #[test]
    fn digests_are_ordered_lines_that_keep_to_their_room(
        text in content(),
        sections in sections(),
        room in 0_usize..80,
        conversation in prop::sample::select(TEXTS.to_vec()),
    ) {
        let mut index = FileIndex::default();
        index.add("src/a.rs", &text, &sections);
        let total = text.lines().count();
        for path in ["src/a.rs", "src/other.rs"] {
            let request = DigestRequest { path, text: &text, sections: &sections, conversation, lines: room };
            let runs = index.digest(request);
            let shown: usize = runs.iter().map(|(start, end)| end + 1 - start).sum();
            prop_assert!(shown <= room);
            prop_assert!(runs.iter().all(|(start, end)| 1 <= *start && start <= end && *end <= total));
            prop_assert!(runs.windows(2).all(|two| two[0].1 + 1 < two[1].0), "{runs:?}");
            if total <= room {
                prop_assert_eq!(shown, total);
            }
        }
    }
}

fn index_of(files: &[(&str, &str)]) -> FileIndex {
    let mut index = FileIndex::default();
    for (path, text) in files {
        index.add(path, text, &[]);
    }
    index
}

fn found(index: &FileIndex, text: &str, symbols: bool) -> Vec<u32> {
    let hits = index.query(Query { text, conversation: "", symbols }, 10);
    hits.iter().map(|hit| hit.file).collect()
}

#[test]
fn words_inside_identifiers_are_found() {
    let index = index_of(&[("a", "let x = parseHttpRequest(y)"), ("b", "let x = other(y)")]);
    for text in ["http", "Request", "parse_http_request", "PARSE"] {
        assert_eq!(found(&index, text, false), [0], "{text}");
    }
    assert_eq!(found(&index, "ttp", false), [0_u32; 0]);
}

#[test]
fn a_file_is_found_by_its_path() {
    let index = index_of(&[("src/auth/login.zig", "fn go() {}"), ("src/main.zig", "fn run() {}")]);
    assert_eq!(found(&index, "what does login.zig do?", false)[0], 0);
}

#[test]
fn definitions_come_up_with_what_refers_to_them() {
    let index = index_of(&[
        ("a", "fn handle() {\n  // retries when the gateway is slow\n  backoff_delay(3)\n}\n"),
        ("b", "fn backoff_delay(n: u32) -> u32 {\n  n * 100\n}\n"),
        ("c", "fn unrelated(n: u32) -> u32 {\n  n * 100\n}\n"),
    ]);
    assert_eq!(found(&index, "slow gateway", false), [0]);
    assert_eq!(found(&index, "slow gateway", true), [0, 1]);
}

#[test]
fn the_conversation_decides_where_references_start() {
    let index = index_of(&[
        ("a", "fn handle() {\n  backoff_delay(3)\n}\n"),
        ("b", "fn backoff_delay() {}\n"),
    ]);
    let ask = |conversation| index.query(Query { text: "unknown", conversation, symbols: true }, 9);
    assert_eq!(ask(""), []);
    assert_eq!(ask("handle").iter().map(|hit| hit.file).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn odd_contents_are_taken() {
    let texts = ["", "\n", "\r", "a\rb\rc", "\u{feff}fn x() {}", "\0\0\0", &"x".repeat(1 << 20)];
    for text in texts {
        let mut index = FileIndex::default();
        let section = Section { name: Some("x".into()), start_line: usize::MAX, end_line: 0 };
        index.add("", text, std::slice::from_ref(&section));
        index.query(Query { text, conversation: text, symbols: true }, 3);
        let request =
            DigestRequest { path: "", text, sections: &[section], conversation: text, lines: 5 };
        index.digest(request);
        assert!(index.remove("") && index.is_empty());
    }
}

#[test]
fn a_file_that_the_index_does_not_have_is_searched_too() {
    let mut lines: Vec<_> = (1..=300).map(|n| format!("let value_{n} = {n}")).collect();
    lines[250] = "launch the periscope".to_owned();
    let text = lines.join("\n");
    let request = DigestRequest {
        path: "src/new.rs",
        text: &text,
        sections: &[],
        conversation: "where is the periscope?",
        lines: 40,
    };
    let others = [("src/a.rs", "fn main() {}\n"), ("src/b.rs", "where is it\n")];
    for index in [index_of(&[]), index_of(&others)] {
        let shown = |(start, end): &(usize, usize)| (*start..=*end).contains(&251);
        assert!(index.digest(request).iter().any(shown));
    }
}
