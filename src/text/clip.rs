//! Cuts a short text (a path, a command) at grapheme boundaries.

use super::graphemes::{graphemes_after, graphemes_before};
use super::joined::joined;

/// Returns at most the first `limit` bytes of `text`, with `…` in place of what was cut; empty if not even that fits.
pub fn keep_start(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let Some(room) = limit.checked_sub('…'.len_utf8()) else { return String::new() };
    joined(&[graphemes_before(text, room), "…"], "")
}

/// Returns at most the last `limit` bytes of `text`, with `…` in place of what was cut; empty if not even that fits.
pub fn keep_end(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let Some(room) = limit.checked_sub('…'.len_utf8()) else { return String::new() };
    joined(&["…", graphemes_after(text, text.len() - room)], "")
}

#[cfg(test)]
mod tests {
    use super::{keep_end, keep_start};
    use unicode_segmentation::UnicodeSegmentation;

    #[test]
    fn cuts_where_a_reader_would() {
        // e + combining acute is one grapheme of three bytes: it is kept or dropped as a whole.
        let accents = "e\u{301}e\u{301}e\u{301}e\u{301}";
        assert_eq!(keep_start(accents, 12), accents);
        assert_eq!(keep_start(accents, 11), "e\u{301}e\u{301}…");
        assert_eq!(keep_end(accents, 11), "…e\u{301}e\u{301}");
        assert_eq!(keep_end("src/very/long/path.ts", 10), "…path.ts");
    }

    #[test]
    fn no_more_than_fits() {
        for limit in 0..9 {
            for text in ["", "a", "ab", "abcdef", "é漢é"] {
                let (start, end) = (keep_start(text, limit), keep_end(text, limit));
                assert!(start.len() <= limit && end.len() <= limit, "{limit}: {start:?}, {end:?}");
                assert_eq!(start == text, text.len() <= limit);
                assert!(start == text || start.is_empty() == (limit < 3), "{limit}: {start:?}");
                assert!(end == text || end.is_empty() == (limit < 3), "{limit}: {end:?}");
            }
        }
    }

    #[test]
    fn plain_text_is_cut_where_graphemes_end_as_well() {
        let ends = |text: &str| -> Vec<usize> {
            text.grapheme_indices(true).map(|(start, one)| start + one.len()).collect()
        };
        let text = "ab\r\ncd e\u{301}f\r\n\r\ng…h\u{1f468}\u{200d}\u{1f469}ij\n\rk";
        for limit in 3..text.len() {
            let room = limit - '…'.len_utf8();
            let end = ends(text).into_iter().rfind(|end| *end <= room).unwrap_or(0);
            assert_eq!(keep_start(text, limit), format!("{}…", &text[..end]), "{limit}");
            let is_room = |end: &usize| text.len() - end <= room;
            let start = ends(text).into_iter().find(is_room).unwrap_or(text.len());
            assert_eq!(keep_end(text, limit), format!("…{}", &text[start..]), "{limit}");
        }
    }
}
