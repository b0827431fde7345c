//! Every encoding against another implementation.
#![cfg(not(target_arch = "wasm32"))] // tiktoken-rs and proptest are for the tests' own machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A test may.

mod support;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::HashSet;
use support::oracle::{LLAMA3, NAMES, Oracle, compare, pairs, vocabulary};
use support::texts::text;
use tiktoken_rs::CoreBPE;
use trimtab_encodings::{Allowed, Encoding, Problem};

/// Texts that were once encoded wrongly.
const FOUND: [&str; 6] = [
    " I'ſ",
    "日本a'ſ b",
    "’aバא",
    "\u{200d}\u{200d}",
    "  \u{feff}\u{feff}",
    "a\u{1}\u{1}b \u{1}\u{1}日",
];

#[test]
fn texts_that_were_once_wrong_are_right() {
    for text in FOUND {
        for (name, encoding, oracle) in pairs() {
            compare(name, encoding, oracle, text).unwrap();
        }
    }
}

/// The first difference ends it. What was compared is printed: `npm run laws` shows it.
#[test]
fn encodings_agree_with_the_oracle() {
    let pairs = pairs();
    let compared = RefCell::new(vec![(0_u64, 0_u64); pairs.len()]);
    let outcome = TestRunner::new(support::config()).run(&text(24), |text| {
        for ((name, encoding, oracle), sum) in pairs.iter().zip(&mut *compared.borrow_mut()) {
            let tokens = compare(name, encoding, oracle, &text).map_err(TestCaseError::fail)?;
            *sum = (sum.0 + 1, sum.1 + tokens as u64);
        }
        Ok(())
    });
    outcome.unwrap();
    for ((name, _, oracle), (texts, tokens)) in pairs.iter().zip(compared.take()) {
        println!("{name}: {texts} texts, {tokens} tokens, 0 differences from {}", oracle.source);
    }
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn decoding_gives_the_text_back(text in text(24)) {
        for (name, encoding, _) in pairs() {
            for allowed in [Allowed::None, Allowed::All] {
                let tokens = encoding.encode(&text, &allowed).unwrap();
                prop_assert_eq!(encoding.count(&text, &allowed).unwrap(), tokens.len());
                let bytes = encoding.decode(&tokens).unwrap();
                prop_assert_eq!(String::from_utf8(bytes).unwrap(), text.as_str(), "{}", name);
            }
        }
    }

    #[test]
    fn special_tokens_are_found_where_they_are_allowed(text in text(24)) {
        let oracles = [tiktoken_rs::o200k_base_singleton(), tiktoken_rs::o200k_harmony_singleton(), tiktoken_rs::cl100k_base_singleton()];
        for (oracle, (name, encoding, _)) in oracles.into_iter().zip(pairs()) {
            let all = oracle.encode_with_special_tokens(&text);
            prop_assert_eq!(encoding.encode(&text, &Allowed::All).unwrap(), all, "{}", name);
            let one = HashSet::from(["<|endoftext|>"]);
            let names = Allowed::Some(vec!["<|endoftext|>".into()]);
            let (some, _) = oracle.encode(&text, &one).unwrap();
            prop_assert_eq!(encoding.encode(&text, &names).unwrap(), some, "{}", name);
        }
    }

    #[test]
    fn brought_vocabularies_agree_with_the_oracle(text in text(24)) {
        CUSTOM.with(|(encoding, bpe)| {
            let expected = bpe.encode_ordinary(&text);
            prop_assert_eq!(encoding.encode(&text, &Allowed::None).unwrap(), expected);
            let with = encoding.encode(&text, &Allowed::All).unwrap();
            prop_assert_eq!(with, bpe.encode_with_special_tokens(&text));
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(support::fewer(20))]

    /// Texts of many parts, as long outputs of tools are.
    #[test]
    fn long_texts_agree_with_the_oracle(texts in prop::collection::vec(text(24), 40..80)) {
        let text = texts.concat();
        for (name, encoding, oracle) in pairs() {
            compare(name, encoding, oracle, &text).map_err(TestCaseError::fail)?;
        }
    }
}

/// A vocabulary as a user brings it: the lines of a `.tiktoken` file.
fn file(ranks: &FxHashMap<Vec<u8>, u32>) -> String {
    use base64::Engine;
    let code = |token| base64::engine::general_purpose::STANDARD.encode(token);
    ranks.iter().map(|(token, rank)| format!("{} {rank}\n", code(token))).collect()
}

thread_local! {
    static CUSTOM: (Encoding, CoreBPE) = {
        let ranks = vocabulary(&Encoding::named("cl100k_base").unwrap(), 0..20_000);
        let special = vec![("<|endoftext|>".to_owned(), 50_000)];
        let encoding = trimtab_encodings::custom::custom(&file(&ranks), LLAMA3, special.clone()).unwrap();
        (encoding, CoreBPE::new(ranks, special.into_iter().collect(), LLAMA3).unwrap())
    };
}

#[test]
fn vocabularies_are_those_of_the_oracle() {
    let sizes = [199_998, 199_998, 100_256];
    for ((name, encoding, oracle), size) in pairs().into_iter().zip(sizes) {
        let oracle: &Oracle = oracle;
        for id in 0..size {
            let bytes = oracle.bpe().decode_bytes(&[id]).unwrap();
            assert_eq!(encoding.decode(&[id]).unwrap(), bytes, "{name} {id}");
        }
    }
}

/// Meta continued the vocabulary of `cl100k_base`: that part can be checked.
#[test]
fn llama3_begins_as_cl100k_base() {
    let cl100k = tiktoken_rs::cl100k_base_singleton();
    let llama3 = Encoding::named("llama3").unwrap();
    for id in 0..100_256 {
        let bytes = cl100k.decode_bytes(&[id]).unwrap();
        assert_eq!(llama3.decode(&[id]).unwrap(), bytes, "{id}");
    }
}

#[test]
fn special_tokens_are_all_known() {
    let expected = [2, 1090, 5, 8, 22, 818, 1283];
    for (name, expected) in NAMES.into_iter().zip(expected) {
        let encoding = Encoding::named(name).unwrap();
        assert_eq!(encoding.special().len(), expected, "{name}");
        for (token, id) in encoding.special() {
            assert_eq!(encoding.encode(token, &Allowed::All).unwrap(), [*id], "{name}");
            assert_eq!(encoding.decode(&[*id]).unwrap(), token.as_bytes(), "{name}");
        }
    }
}

/// Long runs of one piece: merging stays fast, and the pattern takes one step for each character. It has no room for
/// more than a million steps back, and says so.
#[test]
fn a_brought_pattern_takes_long_runs() {
    CUSTOM.with(|(encoding, _)| {
        let error = encoding.encode(&" ".repeat(1 << 20), &Allowed::None).unwrap_err();
        assert!(matches!(error, Problem::Split(_)), "{error}");
        for text in [" ".repeat(900_000), "a".repeat(900_000), "\n\t ".repeat(300_000)] {
            let tokens = encoding.encode(&text, &Allowed::None).unwrap();
            assert_eq!(encoding.decode(&tokens).unwrap(), text.as_bytes());
        }
    });
}

#[test]
fn wrong_input_is_refused_in_words() {
    let encoding = Encoding::named("cl100k_base").unwrap();
    assert!(
        matches!(Encoding::named("gpt-9"), Err(Problem::UnknownEncoding(name)) if name == "gpt-9")
    );
    let unknown = encoding.decode(&[1, 100_256]).unwrap_err();
    assert_eq!(unknown.to_string(), "tokens[1] is 100256: cl100k_base has no such token");
    let allowed = Allowed::Some(vec!["<|no|>".into()]);
    let unknown = encoding.encode("x", &allowed).unwrap_err();
    assert!(unknown.to_string().contains("<|endoftext|>"), "{unknown}");
    let custom = |vocabulary: &str, pattern: &str, special: &[(&str, u32)]| {
        let special = special.iter().map(|&(name, id)| (name.to_owned(), id)).collect();
        trimtab_encodings::custom::custom(vocabulary, pattern, special).err().unwrap().to_string()
    };
    let bytes: FxHashMap<_, _> = (0..=255).map(|byte| (vec![byte], u32::from(byte))).collect();
    let whole = file(&bytes);
    assert!(custom("", ".", &[]).contains("no token for the byte 0x00"));
    assert!(custom("YQ== 0\nYg==", ".", &[]).starts_with("vocabulary, line 2: "));
    assert!(custom("YQ== 0\n?? 1", ".", &[]).starts_with("vocabulary, line 2: "));
    assert!(custom("YQ== 0\nYg== 0", ".", &[]).contains("the rank 0 is there already"));
    assert!(custom("YQ== 0\nYQ== 1", ".", &[]).contains("the token is there already"));
    assert!(custom(&whole, "(", &[]).contains("not a valid regular expression"));
    assert!(custom(&whole, ".", &[("<|x|>", 7)]).contains("id 7"));
    assert!(custom(&whole, ".", &[("", 700)]).contains("name"));
}

/// Real sessions, where they are at hand.
#[test]
fn real_files_agree_with_the_oracle() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data");
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: no folder {folder}");
        return;
    };
    for entry in entries {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for (name, encoding, oracle) in pairs() {
            compare(name, encoding, oracle, &text).unwrap();
        }
    }
}
