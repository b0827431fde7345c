//! The independent oracle: `tiktoken-rs`, with the publishers' patterns as they are published, lookahead and all.
//! Its vocabularies of OpenAI are its own files; those of the others are read out of the engine under test, so that
//! for these the splitting and merging is checked, not the vocabulary.

use fancy_regex::Regex;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use tiktoken_rs::CoreBPE;
use trimtab_encodings::{Allowed, Encoding};

pub const NAMES: [&str; 7] =
    ["o200k_base", "o200k_harmony", "cl100k_base", "llama3", "qwen2", "deepseek_v3", "deepseek_v4"];

/// meta-llama/llama3, `llama/tokenizer.py`.
pub const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// Qwen/Qwen2.5-7B, `tokenizer.json`.
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// deepseek-ai/DeepSeek-V3, `tokenizer.json`: three splits, one after the other. What does not match stays a piece.
const DEEPSEEK: [&str; 3] = [
    r"\p{N}{1,3}",
    r"[一-龥぀-ゟ゠-ヿ]+",
    r"[!\x22#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
];

/// An encoding as the oracle has it.
pub struct Oracle {
    stages: Vec<Regex>,
    bpe: CoreBPE,
    /// What of it is independent of the engine under test.
    pub source: &'static str,
}

impl Oracle {
    /// The ids of a text, special tokens read as text.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut pieces = vec![text];
        for stage in &self.stages {
            pieces = pieces.into_iter().flat_map(|piece| isolate(stage, piece)).collect();
        }
        pieces.into_iter().flat_map(|piece| self.bpe.encode_ordinary(piece)).collect()
    }

    pub fn bpe(&self) -> &CoreBPE {
        &self.bpe
    }
}

/// Matches and what stands between them, in order.
fn isolate<'t>(stage: &Regex, text: &'t str) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut done = 0;
    for found in stage.find_iter(text) {
        let found = found.unwrap();
        pieces.extend([&text[done..found.start()], found.as_str()]);
        done = found.end();
    }
    pieces.push(&text[done..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// A vocabulary as the engine decodes it, without its special tokens.
pub fn vocabulary(encoding: &Encoding, ids: std::ops::Range<u32>) -> FxHashMap<Vec<u8>, u32> {
    let is_special = |id: &u32| encoding.special().iter().any(|(_, special)| special == id);
    ids.filter(|id| !is_special(id)).map(|id| (encoding.decode(&[id]).unwrap(), id)).collect()
}

const OWN: &str = "tiktoken-rs";
const GIVEN: &str = "tiktoken-rs with this vocabulary and the publisher's pattern";

fn of(name: &str, size: u32, pattern: &str, stages: &[&str]) -> Oracle {
    let encoding = Encoding::named(name).unwrap();
    let bpe = CoreBPE::new(vocabulary(&encoding, 0..size), FxHashMap::default(), pattern).unwrap();
    Oracle {
        stages: stages.iter().map(|stage| Regex::new(stage).unwrap()).collect(),
        bpe,
        source: GIVEN,
    }
}

fn plain(bpe: CoreBPE) -> Oracle {
    Oracle { stages: Vec::new(), bpe, source: OWN }
}

static ORACLES: LazyLock<Vec<Oracle>> = LazyLock::new(|| {
    let deepseek = || of("deepseek_v3", 128_000, r"[\s\S]+", &DEEPSEEK);
    vec![
        plain(tiktoken_rs::o200k_base().unwrap()),
        plain(tiktoken_rs::o200k_harmony().unwrap()),
        plain(tiktoken_rs::cl100k_base().unwrap()),
        of("llama3", 128_000, LLAMA3, &[]),
        of("qwen2", 151_643, QWEN2, &[]),
        deepseek(),
        deepseek(),
    ]
});

thread_local! {
    static ENCODINGS: Vec<&'static Encoding> =
        NAMES.map(|name| &*Box::leak(Box::new(Encoding::named(name).unwrap()))).into();
}

/// Every encoding with its oracle; those that `TRIMTAB_ENCODINGS` names, where it does.
pub fn pairs() -> Vec<(&'static str, &'static Encoding, &'static Oracle)> {
    static CHOSEN: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("TRIMTAB_ENCODINGS").ok());
    let encodings = ENCODINGS.with(Clone::clone);
    let all = NAMES.into_iter().zip(encodings).zip(ORACLES.iter()).map(|((n, e), o)| (n, e, o));
    let is_chosen =
        |name: &str| CHOSEN.as_ref().is_none_or(|chosen| chosen.split(',').any(|one| one == name));
    all.filter(|(name, _, _)| is_chosen(name)).collect()
}

/// The number of a text's tokens, where the encoding's ids are the oracle's and its count is their number.
pub fn compare(
    name: &str,
    encoding: &Encoding,
    oracle: &Oracle,
    text: &str,
) -> Result<usize, String> {
    let expected = oracle.encode(text);
    let found = encoding.encode(text, &Allowed::None).unwrap();
    let count = encoding.count(text, &Allowed::None).unwrap();
    if found == expected && count == expected.len() {
        return Ok(count);
    }
    let shown: String = text.chars().take(200).collect();
    Err(format!("{name}: {shown:?} is {expected:?}, found {found:?} ({count})"))
}
