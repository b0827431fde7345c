//! The published encodings: each is a vocabulary, a splitting rule, and special tokens.

use crate::bpe::Bpe;
use crate::merge::{Ranks, merge};
use crate::piece_counts::PieceCounts;
use crate::problem::Problem;
use crate::special::Table;
use crate::split::cl100k::Cl100k;
#[cfg(feature = "deepseek_v3")]
use crate::split::deepseek::DeepSeek;
#[cfg(feature = "o200k_base")]
use crate::split::o200k::O200k;
use crate::split::{Split, each_piece};
use crate::vocabulary::Vocabulary;
use std::cell::RefCell;
use std::rc::Rc;

/// The splitting rule of an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Splitting {
    #[cfg(any(feature = "cl100k_base", feature = "llama3"))]
    Cl100k,
    #[cfg(feature = "qwen2")]
    Qwen2,
    #[cfg(feature = "o200k_base")]
    O200k,
    #[cfg(feature = "deepseek_v3")]
    DeepSeek,
}

/// An encoding in this build.
struct Published {
    name: &'static str,
    splitting: Splitting,
    /// In the format of `build.rs`. Encodings that share a vocabulary have it at the same address.
    vocabulary: &'static [u8],
    /// Lines of an id and a name.
    special: &'static str,
}

macro_rules! written {
    ($file:literal) => {
        concat!(env!("OUT_DIR"), "/", $file)
    };
}

#[cfg(feature = "o200k_base")]
static O200K_BASE: &[u8] = include_bytes!(written!("o200k_base.bin"));
#[cfg(feature = "deepseek_v3")]
static DEEPSEEK_V3: &[u8] = include_bytes!(written!("deepseek_v3.bin"));

static PUBLISHED: &[Published] = &[
    #[cfg(feature = "o200k_base")]
    Published {
        name: "o200k_base",
        splitting: Splitting::O200k,
        vocabulary: O200K_BASE,
        special: include_str!(written!("o200k_base.special.txt")),
    },
    #[cfg(feature = "o200k_base")]
    Published {
        name: "o200k_harmony",
        splitting: Splitting::O200k,
        vocabulary: O200K_BASE,
        special: include_str!(written!("o200k_harmony.special.txt")),
    },
    #[cfg(feature = "cl100k_base")]
    Published {
        name: "cl100k_base",
        splitting: Splitting::Cl100k,
        vocabulary: include_bytes!(written!("cl100k_base.bin")),
        special: include_str!(written!("cl100k_base.special.txt")),
    },
    #[cfg(feature = "llama3")]
    Published {
        name: "llama3",
        splitting: Splitting::Cl100k,
        vocabulary: include_bytes!(written!("llama3.bin")),
        special: include_str!(written!("llama3.special.txt")),
    },
    #[cfg(feature = "qwen2")]
    Published {
        name: "qwen2",
        splitting: Splitting::Qwen2,
        vocabulary: include_bytes!(written!("qwen2.bin")),
        special: include_str!(written!("qwen2.special.txt")),
    },
    #[cfg(feature = "deepseek_v3")]
    Published {
        name: "deepseek_v3",
        splitting: Splitting::DeepSeek,
        vocabulary: DEEPSEEK_V3,
        special: include_str!(written!("deepseek_v3.special.txt")),
    },
    #[cfg(feature = "deepseek_v3")]
    Published {
        name: "deepseek_v4",
        splitting: Splitting::DeepSeek,
        vocabulary: DEEPSEEK_V3,
        special: include_str!(written!("deepseek_v4.special.txt")),
    },
];

thread_local! {
    /// Tables are built once for all encodings that share them.
    static TABLES: RefCell<Vec<(*const u8, Rc<Vocabulary>)>> = const { RefCell::new(Vec::new()) };
}

fn tables(written: &'static [u8]) -> Rc<Vocabulary> {
    TABLES.with_borrow_mut(|known| {
        if let Some((_, vocabulary)) = known.iter().find(|(at, _)| *at == written.as_ptr()) {
            return Rc::clone(vocabulary);
        }
        let vocabulary = Rc::new(Vocabulary::new(written));
        known.push((written.as_ptr(), Rc::clone(&vocabulary)));
        vocabulary
    })
}

/// A published encoding.
pub struct Named {
    vocabulary: Rc<Vocabulary>,
    published: &'static Published,
    counts: RefCell<PieceCounts>,
}

impl Named {
    /// # Errors
    /// [`Problem::UnknownEncoding`].
    pub fn new(name: &str) -> Result<Self, Problem> {
        let published = PUBLISHED.iter().find(|published| published.name == name);
        let published = published.ok_or_else(|| Problem::UnknownEncoding(name.to_owned()))?;
        Ok(Self { vocabulary: tables(published.vocabulary), published, counts: RefCell::default() })
    }

    fn count_split(&self, text: &str, split: impl Split) -> usize {
        let mut counts = self.counts.borrow_mut();
        let vocabulary = &*self.vocabulary;
        let mut count = 0;
        each_piece(text, split, |start, end| {
            count +=
                counts.count(text.as_bytes(), start, end, |piece| count_merged(piece, vocabulary));
        });
        count
    }

    fn encode_split(&self, text: &str, split: impl Split, tokens: &mut Vec<u32>) {
        let vocabulary = &*self.vocabulary;
        each_piece(text, split, |start, end| {
            let piece = text.as_bytes().get(start..end).unwrap_or_default();
            match vocabulary.rank(piece) {
                Some(id) => tokens.push(id),
                None => merge(piece, vocabulary, |part| tokens.extend(vocabulary.rank(part))),
            }
        });
    }
}

/// Not inlined, to keep the path of cached pieces short.
#[inline(never)]
fn count_merged(piece: &[u8], vocabulary: &Vocabulary) -> usize {
    if vocabulary.rank(piece).is_some() {
        return 1;
    }
    let mut parts = 0;
    merge(piece, vocabulary, |_| parts += 1);
    parts
}

impl Bpe for Named {
    fn count(&self, text: &str) -> Result<usize, Problem> {
        Ok(match self.published.splitting {
            #[cfg(any(feature = "cl100k_base", feature = "llama3"))]
            Splitting::Cl100k => self.count_split(text, Cl100k::<3>),
            #[cfg(feature = "qwen2")]
            Splitting::Qwen2 => self.count_split(text, Cl100k::<1>),
            #[cfg(feature = "o200k_base")]
            Splitting::O200k => self.count_split(text, O200k),
            #[cfg(feature = "deepseek_v3")]
            Splitting::DeepSeek => self.count_split(text, DeepSeek::default()),
        })
    }

    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        match self.published.splitting {
            #[cfg(any(feature = "cl100k_base", feature = "llama3"))]
            Splitting::Cl100k => self.encode_split(text, Cl100k::<3>, tokens),
            #[cfg(feature = "qwen2")]
            Splitting::Qwen2 => self.encode_split(text, Cl100k::<1>, tokens),
            #[cfg(feature = "o200k_base")]
            Splitting::O200k => self.encode_split(text, O200k, tokens),
            #[cfg(feature = "deepseek_v3")]
            Splitting::DeepSeek => self.encode_split(text, DeepSeek::default(), tokens),
        }
        Ok(())
    }

    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool {
        if let Some(token) = self.vocabulary.token(id) {
            bytes.extend_from_slice(token);
            return true;
        }
        let name = special_in(self.published.special).find(|&(_, special)| special == id);
        bytes.extend(name.iter().flat_map(|(name, _)| name.bytes()));
        name.is_some()
    }

    fn special(&self) -> Table {
        special_in(self.published.special).map(|(name, id)| (name.to_owned(), id)).collect()
    }
}

/// Iterates over names and ids.
fn special_in(lines: &'static str) -> impl Iterator<Item = (&'static str, u32)> {
    lines.lines().filter_map(|line| {
        let (id, name) = line.split_once(' ')?;
        Some((name, id.parse().ok()?))
    })
}
