//! Grapheme boundaries: the extended grapheme clusters of UAX #29, for cutting a text where a reader would.
//!
//! The library `unicode-segmentation` gives the same results, and the tests compare with it. Its tables alone take 5 KB
//! of the core's 115 (`docs/decisions/dependencies.md`).

use super::grapheme_table::RUNS;

/// The property of a character that determines grapheme boundaries: `Grapheme_Cluster_Break` of UAX #29, extended by
/// `Indic_Conjunct_Break` and `Extended_Pictographic`. The table contains the numbers of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Other,
    Control,
    /// `Extend` that breaks a conjunct.
    Extend,
    /// `Extend` that may occur within a conjunct.
    InnerExtend,
    /// `Extend` that joins two consonants.
    Linker,
    Joiner,
    SpacingMark,
    Prepend,
    Regional,
    Consonant,
    Pictograph,
    Leading,
    Vowel,
    Trailing,
    /// A Hangul syllable of two letters (LV); of three (LVT), the next variant. Both are computed and not in the table.
    OpenSyllable,
    ClosedSyllable,
}

impl Class {
    pub(super) const ALL: [Class; 16] = {
        use Class::*;
        [
            Other,
            Control,
            Extend,
            InnerExtend,
            Linker,
            Joiner,
            SpacingMark,
            Prepend,
            Regional,
            Consonant,
            Pictograph,
            Leading,
            Vowel,
            Trailing,
            OpenSyllable,
            ClosedSyllable,
        ]
    };

    pub(super) fn of(character: char) -> Self {
        match character as u32 {
            0x20..=0x7e => Class::Other,
            code @ 0xac00..=0xd7a3 if (code - 0xac00).is_multiple_of(28) => Class::OpenSyllable,
            0xac00..=0xd7a3 => Class::ClosedSyllable,
            code => Self::listed(code),
        }
    }

    /// Looks up a character in the table. It has two numbers for each run of characters: the distance from the end of
    /// the previous run, and 16 times the number of characters after the first, plus the class.
    fn listed(code: u32) -> Self {
        let (mut bytes, mut behind) = (RUNS, 0);
        while let (Some(gap), Some(run)) = (number(&mut bytes), number(&mut bytes)) {
            let first = behind + gap;
            behind = first + run / 16 + 1;
            if code < behind {
                return if code < first { Class::Other } else { Self::ALL[(run % 16) as usize] };
            }
        }
        Class::Other
    }
}

/// Takes a number in base 128, lowest digit first; a byte of 128 or more means that another digit follows (LEB128).
fn number(bytes: &mut &[u8]) -> Option<u32> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (digit, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(digit & 127) << shift;
        if *digit < 128 {
            return Some(value);
        }
        shift += 7;
    }
}

/// Returns the last grapheme boundary at or before byte `at`. Only the text nearby is read.
pub fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| is_boundary(text, *at)).unwrap_or(0)
}

/// Returns the first grapheme boundary at or after byte `at`.
fn boundary_after(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| is_boundary(text, *at)).unwrap_or(text.len())
}

/// Returns the complete graphemes before byte `at`.
pub(super) fn graphemes_before(text: &str, at: usize) -> &str {
    text.get(..boundary_before(text, at)).unwrap_or_default()
}

/// Returns the complete graphemes after byte `at`.
pub(super) fn graphemes_after(text: &str, at: usize) -> &str {
    text.get(boundary_after(text, at)..).unwrap_or_default()
}

/// Whether there is a grapheme boundary at this byte.
fn is_boundary(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else {
        return true;
    };
    use Class::*;
    match (Class::of(last), Class::of(first)) {
        (Control, Control) => (last, first) != ('\r', '\n'),
        (Control, _) | (_, Control) => true,
        (Leading, Leading | Vowel | OpenSyllable | ClosedSyllable) => false,
        (OpenSyllable | Vowel, Vowel | Trailing) => false,
        (ClosedSyllable | Trailing, Trailing) => false,
        (_, Extend | InnerExtend | Linker | Joiner | SpacingMark) | (Prepend, _) => false,
        (InnerExtend | Linker | Joiner, Consonant) => !is_linked(before),
        (Joiner, Pictograph) => !is_pictograph(before),
        (Regional, Regional) => regionals(before).is_multiple_of(2),
        _ => true,
    }
}

/// Whether a text ends in a consonant and a linker, so that a following consonant belongs to the same grapheme.
fn is_linked(text: &str) -> bool {
    let mut linked = false;
    for class in text.chars().rev().map(Class::of) {
        match class {
            Class::Linker => linked = true,
            Class::InnerExtend | Class::Joiner => {}
            _ => return linked && class == Class::Consonant,
        }
    }
    false
}

/// Whether a text that ends in a joiner has a pictograph before it.
fn is_pictograph(text: &str) -> bool {
    let mut before = text.chars().rev().skip(1).map(Class::of);
    let extends = [Class::Extend, Class::InnerExtend, Class::Linker];
    before.find(|class| !extends.contains(class)) == Some(Class::Pictograph)
}

/// Number of regional indicators (halves of flags) at the end of a text.
fn regionals(text: &str) -> usize {
    text.chars().rev().take_while(|character| Class::of(*character) == Class::Regional).count()
}

#[cfg(test)]
mod tests {
    use super::super::grapheme_table::RUNS;
    use super::{Class, boundary_after, boundary_before, is_boundary};
    use proptest::prelude::*;
    use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

    /// Whether the library finds a boundary between these texts.
    fn breaks(before: &str, after: &str) -> bool {
        let text = [before, after].concat();
        GraphemeCursor::new(before.len(), text.len(), true).is_boundary(&text, 0) == Ok(true)
    }

    /// The class of a character, derived from the library's results.
    fn class_by_library(character: char) -> Class {
        let own = &character.to_string();
        let within = |before: &str, after: &str| !breaks(&format!("{before}{own}"), after);
        let attached = !breaks("a", own);
        match () {
            () if breaks(own, "\u{301}") => Class::Control,
            () if attached && within("\u{1f469}", "\u{1f469}") => Class::Joiner,
            () if attached && breaks(&format!("\u{1f469}{own}\u{200d}"), "\u{1f469}") => {
                Class::SpacingMark
            }
            () if attached && within("\u{915}", "\u{915}") => Class::Linker,
            () if attached && within("\u{915}\u{94d}", "\u{915}") => Class::InnerExtend,
            () if attached => Class::Extend,
            () if within("", "a") => Class::Prepend,
            () if within("", "\u{1f1e6}") => Class::Regional,
            () if within("", "\u{1100}") => Class::Leading,
            () if within("", "\u{1161}") && !breaks("\u{1161}", own) => Class::Vowel,
            () if within("", "\u{1161}") => Class::OpenSyllable,
            () if within("", "\u{11a8}") && !breaks("\u{11a8}", own) => Class::Trailing,
            () if within("", "\u{11a8}") => Class::ClosedSyllable,
            () if !breaks("\u{915}\u{94d}", own) => Class::Consonant,
            () if !breaks("\u{1f469}\u{200d}", own) => Class::Pictograph,
            () => Class::Other,
        }
    }

    fn digits(mut value: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value > 127 {
            bytes.push((value % 128) as u8 | 128);
            value /= 128;
        }
        bytes.push(value as u8);
        bytes
    }

    /// The table, derived from the library's results.
    fn table() -> Vec<u8> {
        let mut runs: Vec<(u32, u32, Class)> = Vec::new();
        for character in (char::MIN..=char::MAX).filter(|c| !('\u{ac00}'..='\u{d7a3}').contains(c))
        {
            let (code, class) = (character as u32, class_by_library(character));
            match runs.last_mut() {
                _ if class == Class::Other => {}
                Some((_, end, last)) if *last == class && *end == code => *end += 1,
                _ => runs.push((code, code + 1, class)),
            }
        }
        let mut behind = 0;
        let mut bytes = Vec::new();
        for (start, end, class) in runs {
            bytes.extend(digits(start - behind));
            bytes.extend(digits((end - start - 1) * 16 + class as u32));
            behind = end;
        }
        bytes
    }

    /// With a new version of Unicode, this prints the table for `grapheme_table.rs`.
    #[test]
    fn the_table_says_what_the_library_says() {
        let made = table();
        assert!(made == RUNS, "pub(super) const RUNS: &[u8] = &{made:?};");
        for character in '\u{ac00}'..='\u{d7a3}' {
            assert_eq!(Class::of(character), class_by_library(character), "{character:?}");
        }
    }

    #[test]
    fn classes_have_their_own_numbers() {
        for (number, class) in Class::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, number);
        }
    }

    /// A mark that is not `Extend` separates a pictograph from a joiner after it.
    #[test]
    fn a_spacing_mark_ends_what_a_joiner_joins() {
        let text = "\u{1f469}\u{903}\u{200d}\u{1f469}";
        assert!(is_boundary(text, 10));
        assert!(!is_boundary("\u{1f469}\u{301}\u{200d}\u{1f469}", 9));
    }

    /// Texts of a few characters of each class, so that all rules are combined.
    fn texts() -> impl Strategy<Value = String> {
        let known: Vec<char> = "a \r\n\u{ad}\u{301}\u{200c}\u{1f3fb}\u{200d}\u{fe0f}\u{903}\u{600}\u{1f1e6}\u{1f1e7}\
            \u{1f469}\u{2764}\u{1100}\u{1161}\u{11a8}\u{ac00}\u{ac01}\u{915}\u{924}\u{94d}\u{93c}\u{9cd}\u{e33}…漢"
            .chars()
            .collect();
        let one = prop_oneof![8 => prop::sample::select(known), 1 => any::<char>()];
        prop::collection::vec(one, 0..24).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn boundaries_are_those_of_the_library(text in texts()) {
            let mut expected: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
            expected.push(text.len());
            for at in 0..=text.len() {
                prop_assert_eq!(is_boundary(&text, at), expected.contains(&at), "{:?} at {}", text, at);
                prop_assert_eq!(Some(&boundary_before(&text, at)), expected.iter().rfind(|end| **end <= at));
                prop_assert_eq!(Some(&boundary_after(&text, at)), expected.iter().find(|end| **end >= at));
            }
        }
    }
}
