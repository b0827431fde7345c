//! Writes what the encodings are made of: vocabularies with their special tokens, out of the `tiktoken` crate, and what
//! kind of character each code point is, out of `regex-syntax`. Both are laid out so that loading is one pass over them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A build may stop.

use regex_syntax::hir::{Class, HirKind};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tiktoken::CoreBpe;

/// Each feature's vocabulary: the encodings that have it, which differ in their special tokens.
const VOCABULARIES: [(&str, &[&str]); 5] = [
    ("o200k_base", &["o200k_base", "o200k_harmony"]),
    ("cl100k_base", &["cl100k_base"]),
    ("llama3", &["llama3"]),
    ("qwen2", &["qwen2"]),
    ("deepseek_v3", &["deepseek_v3", "deepseek_v4"]),
];

/// A special token has one of the ids behind the vocabulary, or one of the few before it.
const IDS_BEHIND: u32 = 4096;
const IDS_BEFORE: u32 = 16;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    for (feature, names) in VOCABULARIES {
        if std::env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some() {
            write_vocabulary(&out, feature, names);
        }
    }
    std::fs::write(out.join("kinds.bin"), kinds()).unwrap();
}

fn write_vocabulary(out: &Path, feature: &str, names: &[&str]) {
    let engine = tiktoken::get_encoding(names[0]).unwrap();
    let special = special(engine);
    let is_special = |id: u32| special.iter().any(|&(_, special)| special == id);
    let size = u32::try_from(engine.vocab_size()).unwrap();
    let token = |id| if is_special(id) { Vec::new() } else { engine.decode(&[id]) };
    let mut tokens: Vec<Vec<u8>> = (0..size + IDS_BEFORE).map(token).collect();
    while tokens.last().is_some_and(Vec::is_empty) {
        tokens.pop();
    }
    std::fs::write(out.join(format!("{feature}.bin")), vocabulary(&tokens)).unwrap();
    for name in names {
        let mut text = String::new();
        for (token, id) in self::special(tiktoken::get_encoding(name).unwrap()) {
            writeln!(text, "{id} {token}").unwrap();
        }
        std::fs::write(out.join(format!("{name}.special.txt")), text).unwrap();
    }
}

/// How many tokens there are, the length of each in a byte, and their bytes: the shortest tokens first, since those of one
/// length compress best beside each other, and of one length by id. An id without token has the length 0.
fn vocabulary(tokens: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = u32::try_from(tokens.len()).unwrap().to_le_bytes().to_vec();
    bytes.extend(tokens.iter().map(|token| u8::try_from(token.len()).unwrap()));
    let mut sorted: Vec<&Vec<u8>> = tokens.iter().collect();
    sorted.sort_by_key(|token| token.len());
    bytes.extend(sorted.into_iter().flatten());
    bytes
}

/// Only a special token's name is one token with special tokens allowed, and something else without.
fn special(engine: &CoreBpe) -> Vec<(String, u32)> {
    let behind = u32::try_from(engine.vocab_size()).unwrap();
    let candidates = (0..IDS_BEFORE).chain(behind..behind + IDS_BEHIND);
    let name = |id: u32| {
        let name = String::from_utf8(engine.decode(&[id])).ok().filter(|name| !name.is_empty())?;
        let is_special =
            engine.encode_with_special_tokens(&name) == [id] && engine.encode(&name) != [id];
        is_special.then_some((name, id))
    };
    candidates.filter_map(name).take(engine.num_special_tokens()).collect()
}

/// The kind of each character, numbered as `Kind` in `src/kind.rs`: the number of the block for each 256 code points, then the
/// blocks, each of them once.
fn kinds() -> Vec<u8> {
    const CLASSES: [(&str, u8); 7] = [
        (r"[\p{Lu}\p{Lt}]", 1),
        (r"\p{Ll}", 2),
        (r"[\p{Lm}\p{Lo}]", 3),
        (r"\p{M}", 4),
        (r"\p{N}", 5),
        (r"[\p{P}\p{S}]", 6),
        (r"\s", 7),
    ];
    let mut kinds = vec![0_u8; 0x11_0000];
    for (class, kind) in CLASSES {
        let HirKind::Class(Class::Unicode(ranges)) =
            regex_syntax::parse(class).unwrap().into_kind()
        else {
            panic!("{class} is a class")
        };
        for range in ranges.ranges() {
            kinds[range.start() as usize..=range.end() as usize].fill(kind);
        }
    }
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut numbers = Vec::new();
    for block in kinds.chunks(256) {
        let known = blocks.iter().position(|other| *other == block);
        numbers.push(u8::try_from(known.unwrap_or(blocks.len())).unwrap());
        if known.is_none() {
            blocks.push(block);
        }
    }
    numbers.extend(blocks.concat());
    numbers
}
