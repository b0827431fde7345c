//! Edits of files in any encoding. They are made on the text as UTF-8 and written in the file's own encoding, so that
//! the rest of the file keeps its bytes. Edits that cannot be exact are refused.

use super::MARK;
use super::change::Edited;
use super::line_ends::with_warning;
use super::refusal::Refusal;
use crate::bytes::{Malformed, Sniffed, TextEncoding, encode, sniff_bytes, to_utf8};
use std::borrow::Cow;

/// A file to edit.
#[derive(Debug, Clone, Copy)]
pub struct EncodedFile<'a> {
    /// Its bytes; `None` if the file does not exist.
    pub content: Option<&'a [u8]>,
    /// Its name in messages.
    pub path: &'a str,
    /// The encoding named by the host, for files that do not declare one.
    pub told: Option<TextEncoding>,
}

/// Makes an edit in the file's own encoding. `old` is the text to find and `new` the text to insert.
///
/// # Errors
///
/// Those of the edit; and if the file is binary or would become it, is malformed, or cannot represent the new text.
pub fn edit_encoded(
    file: EncodedFile,
    texts: (&str, &str),
    edit: impl FnOnce(Option<&[u8]>) -> Result<Edited, Refusal>,
) -> Result<Edited, Refusal> {
    still_text(in_encoding(file, texts, edit)?, file, texts.1)
}

/// Makes an edit of a text of the host, which is text whatever it holds.
///
/// # Errors
///
/// Those of the edit; and if a file of this text would become binary by it.
pub fn edit_text(
    content: Option<&[u8]>,
    (path, new): (&str, &str),
    edit: impl FnOnce(Option<&[u8]>) -> Result<Edited, Refusal>,
) -> Result<Edited, Refusal> {
    still_text(edit(content)?, EncodedFile { content, path, told: None }, new)
}

/// Refuses what turns text into something else: nothing could read the file as it was meant, nor edit it again.
fn still_text(edited: Edited, file: EncodedFile, new: &str) -> Result<Edited, Refusal> {
    let EncodedFile { content, path, told } = file;
    let path = || path.to_owned();
    match (sniff_bytes(content.unwrap_or_default(), told), sniff_bytes(&edited.content, told)) {
        (Sniffed::Text(..), Sniffed::Binary(kind)) => {
            let what = if new.contains('\0') { "a NUL character" } else { kind };
            Err(Refusal::BecomesBinary { path: path(), what })
        }
        (Sniffed::Text(before, _), Sniffed::Text(after, _)) if before != after => {
            let reason = format!("it is {}, and would be read as {}.", before.name(), after.name());
            Err(Refusal::Encoding { path: path(), reason })
        }
        // Behind the bytes that are examined: a reader with other rules would take the file for binary.
        (Sniffed::Text(TextEncoding::Utf8 | TextEncoding::Latin1, _), _) if new.contains('\0') => {
            let reason = "it is text, which has no NUL characters.".to_owned();
            Err(Refusal::Encoding { path: path(), reason })
        }
        _ => Ok(edited),
    }
}

fn in_encoding(
    file: EncodedFile,
    (old, new): (&str, &str),
    edit: impl FnOnce(Option<&[u8]>) -> Result<Edited, Refusal>,
) -> Result<Edited, Refusal> {
    let EncodedFile { content, path, told } = file;
    let bytes = content.unwrap_or_default();
    let refused = |reason: String| Refusal::Encoding { path: path.to_owned(), reason };
    match sniff_bytes(bytes, told) {
        Sniffed::Binary(kind) => Err(Refusal::Binary { path: path.to_owned(), kind }),
        Sniffed::Text(TextEncoding::Utf8, mark) => {
            let malformed = to_utf8(bytes, TextEncoding::Utf8, mark).err();
            if let (Some(Malformed { line }), None) = (malformed, told)
                && !new.is_ascii()
            {
                return Err(refused(format!(
                    "it holds bytes that are not valid UTF-8 (first on line {line}), so that its encoding is not known: \
                     only text of ASCII can be put into it."
                )));
            }
            edit(content).map_err(|refusal| match (refusal, malformed) {
                (Refusal::NotFound { path, .. }, Some(_)) if old.contains('\u{FFFD}') => {
                    Refusal::NoCharacter { path }
                }
                (refusal, _) => refusal,
            })
        }
        Sniffed::Text(encoding, mark) => {
            let text = to_utf8(bytes, encoding, mark).map_err(|Malformed { line }| {
                refused(format!(
                    "it is {} with halves of characters (first on line {line}), which an edit would not keep.",
                    encoding.name()
                ))
            })?;
            let mut edited = edit(content.map(|_| text.as_slice()))?;
            let text = String::from_utf8_lossy(&edited.content);
            edited.content = encoded(&text, encoding, path)?;
            Ok(edited)
        }
    }
}

/// Encodes a text that replaces all of a file in the file's encoding, with its byte order mark. The message of the result
/// is empty, or says that the line ends or the encoding have changed: that of bytes that are not UTF-8 is not known, so
/// it cannot be kept.
///
/// # Errors
///
/// If the file is binary or would become it, or its encoding cannot represent the text.
pub fn rewrite_encoded(file: EncodedFile, text: &str) -> Result<Edited, Refusal> {
    let EncodedFile { content, path, told } = file;
    let bytes = content.unwrap_or_default();
    let (encoding, mark_bytes) = match sniff_bytes(bytes, told) {
        Sniffed::Text(encoding, mark) => (encoding, mark),
        Sniffed::Binary(kind) => return Err(Refusal::Binary { path: path.to_owned(), kind }),
    };
    let mark = if mark_bytes > 0 && !text.starts_with(MARK) { MARK } else { "" };
    let was_unknown = encoding == TextEncoding::Utf8
        && told.is_none()
        && !text.is_ascii()
        && std::str::from_utf8(bytes).is_err();
    let message = if was_unknown {
        format!("Warning: {path} was not valid UTF-8 before and is UTF-8 now.")
    } else {
        String::new()
    };
    let before = match encoding {
        TextEncoding::Utf8 => Cow::Borrowed(bytes),
        other => Cow::Owned(to_utf8(bytes, other, mark_bytes).unwrap_or_default()),
    };
    let message = with_warning(message, path, &before, text.as_bytes());
    let content = encoded(&format!("{mark}{text}"), encoding, path)?;
    still_text(Edited { content, message, diff: String::new(), replacements: 1 }, file, text)
}

fn encoded(text: &str, encoding: TextEncoding, path: &str) -> Result<Vec<u8>, Refusal> {
    encode(text, encoding).map_err(|error| Refusal::Encoding {
        path: path.to_owned(),
        reason: format!("it is {}, and {error}.", encoding.name()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Replacement, append_to_file, edit_file, prepend_to_file};
    use super::{EncodedFile, TextEncoding, edit_encoded, edit_text, encode};

    fn file(content: &[u8], told: Option<TextEncoding>) -> EncodedFile<'_> {
        EncodedFile { content: Some(content), path: "w.txt", told }
    }

    fn edited(file: EncodedFile, old: &str, new: &str) -> Result<Vec<u8>, String> {
        let edit = Replacement { old_string: old, new_string: new, replace_all: false };
        let made = edit_encoded(file, (old, new), |content| {
            edit_file(content.unwrap_or_default(), file.path, edit)
        });
        made.map(|edited| edited.content).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn the_encoding_stays() {
        for encoding in [TextEncoding::Utf16Le, TextEncoding::Utf16Be] {
            let bytes = |text: &str| encode(text, encoding).unwrap_or_default();
            let before = bytes("\u{feff}aä\r\nb\u{1F600}\r\n");
            let after = bytes("\u{feff}aé\u{6587}\r\nb\u{1F600}\r\n");
            assert_eq!(edited(file(&before, None), "ä", "é\u{6587}"), Ok(after));
            let added = edit_encoded(file(&before, None), ("", "ö\n"), |content| {
                Ok(append_to_file(content, "w.txt", "ö\n"))
            });
            let expected = bytes("\u{feff}aä\r\nb\u{1F600}\r\nö\n");
            assert_eq!(added.map(|edited| edited.content), Ok(expected));
            let put_before = edit_encoded(file(&before, None), ("", "ö"), |content| {
                Ok(prepend_to_file(content, "w.txt", "ö"))
            });
            let expected = bytes("\u{feff}öaä\r\nb\u{1F600}\r\n");
            assert_eq!(put_before.map(|edited| edited.content), Ok(expected));
        }
        // The line ends are those of the text, not of its bytes.
        let wide = encode("\u{feff}a\r\n", TextEncoding::Utf16Le).unwrap_or_default();
        let made = edit_encoded(file(&wide, None), ("a", "b\n"), |content| {
            Ok(append_to_file(content, "w.txt", "b\n"))
        });
        let message = "Appended 2 chars to w.txt\nWarning: the lines of w.txt ended with CRLF, and some end with LF now.";
        assert_eq!(made.map(|edited| edited.message), Ok(message.to_owned()));
        let latin = file(b"caf\xE9 \x80\n", Some(TextEncoding::Latin1));
        assert_eq!(edited(latin, "é", "è\n"), Ok(b"caf\xE8\n \x80\n".to_vec()));
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_encoding() {
        let rewritten = |content: &[u8], told, text: &str| {
            super::rewrite_encoded(file(content, told), text)
                .map(|edited| (edited.content, edited.message))
                .map_err(|refusal| refusal.to_string())
        };
        for encoding in [TextEncoding::Utf8, TextEncoding::Utf16Le, TextEncoding::Utf16Be] {
            let bytes = |text: &str| encode(text, encoding).unwrap_or_default();
            let after = Ok((bytes("\u{feff}é\r\n"), String::new()));
            assert_eq!(rewritten(&bytes("\u{feff}a"), None, "é\r\n"), after);
            assert_eq!(rewritten(&bytes("\u{feff}"), None, "\u{feff}é\r\n"), after);
            assert_eq!(rewritten(b"", Some(encoding), "é"), Ok((bytes("é"), String::new())));
        }
        let changed = "Warning: the lines of w.txt ended with CRLF and end with LF now.";
        for encoding in [TextEncoding::Utf8, TextEncoding::Utf16Be] {
            let bytes = |text: &str| encode(text, encoding).unwrap_or_default();
            let after = Ok((bytes("\u{feff}b\n"), changed.to_owned()));
            assert_eq!(rewritten(&bytes("\u{feff}a\r\n"), None, "b\n"), after);
        }
        // What is replaced need not be kept, so that halves of characters do not matter.
        let halves = rewritten(b"\xFF\xFE\0\xD8a", None, "b");
        assert_eq!(halves, Ok((b"\xFF\xFEb\0".to_vec(), String::new())));
        let unknown = "Warning: w.txt was not valid UTF-8 before and is UTF-8 now.".to_owned();
        assert_eq!(rewritten(b"caf\xE9", None, "é"), Ok(("é".as_bytes().to_vec(), unknown)));
        assert_eq!(rewritten(b"caf\xE9", None, "e"), Ok((b"e".to_vec(), String::new())));
        assert!(rewritten(b"caf\xE9", Some(TextEncoding::Latin1), "\u{20AC}").is_err());
        assert_eq!(
            rewritten(b"\xFF\xFE\0\0a\0\0\0", None, "a"),
            Err("Error: w.txt is binary (UTF-32 text) and was not changed.".to_owned())
        );
        assert!(rewritten(b"n\0o\0", None, "n").is_err());
    }

    #[test]
    fn what_would_not_be_exact_is_refused() {
        let refusal = |file: EncodedFile, old: &str, new: &str| edited(file, old, new).err();
        let cases = [
            (
                file(b"\xFF\xFEa\0\0\xD8", None),
                ("a", "b"),
                "Error: w.txt was not changed: it is utf-16le with halves of characters (first on line 1), which an edit would not keep.",
            ),
            (
                file(b"caf\xE9", Some(TextEncoding::Latin1)),
                ("é", "\u{20AC}"),
                "Error: w.txt was not changed: it is latin-1, and the encoding has no '\u{20AC}'.",
            ),
            (
                file(b"\ncaf\xE9", None),
                ("caf", "é"),
                "Error: w.txt was not changed: it holds bytes that are not valid UTF-8 (first on line 2), so that its encoding is not known: only text of ASCII can be put into it.",
            ),
            (
                file(b"caf\xE9", None),
                ("caf\u{FFFD}", "x"),
                "Error: old_string not found in w.txt: U+FFFD stands for bytes that are not valid UTF-8. Leave it out.",
            ),
            (
                file(b"\xFF\xFE\0\0a\0\0\0", None),
                ("a", "b"),
                "Error: w.txt is binary (UTF-32 text) and was not changed.",
            ),
        ];
        for (file, (old, new), expected) in cases {
            assert_eq!(refusal(file, old, new).as_deref(), Some(expected));
        }
        assert_eq!(edited(file(b"caf\xE9", None), "caf", "x"), Ok(b"x\xE9".to_vec()));
        assert!(edited(file(b"n\0o\0 \0m\0a\0r\0k\0", None), "n", "x").is_err());
        assert_eq!(
            edited(file(b"a\0b", None), "a", "c").err().as_deref(),
            Some("Error: w.txt is binary (unknown type) and was not changed.")
        );
    }

    #[test]
    fn text_stays_text() {
        let no = |what: &str| {
            let why = "and could not be read or edited again";
            Some(format!("Error: w.txt was not written: it would be binary ({what}) {why}."))
        };
        let (nul, unknown) = (no("a NUL character"), no("unknown type"));
        let refusal = |content: &[u8], told, old: &str, new: &str| {
            edited(file(content, told), old, new).err()
        };
        let marked = encode("\u{feff}ab", TextEncoding::Utf16Le).unwrap_or_default();
        assert_eq!(refusal(b"ab", None, "b", "\0"), nul);
        assert_eq!(refusal(b"ab", Some(TextEncoding::Latin1), "b", "c\0"), nul);
        assert_eq!(refusal(b"ab", None, "b", "\u{1}"), unknown);
        assert_eq!(refusal(b"%PD", None, "PD", "PDF-"), no("PDF document"));
        assert_eq!(refusal(&marked, None, "\u{feff}", ""), unknown);
        assert_eq!(refusal(&marked, None, "a", "\0"), nul);
        // Wherever it is inserted.
        let long = [vec![b'a'; 20_000], b"b".to_vec()].concat();
        let no_nul = Some(
            "Error: w.txt was not changed: it is text, which has no NUL characters.".to_owned(),
        );
        for told in [None, Some(TextEncoding::Latin1)] {
            assert_eq!(refusal(&long, told, "b", "\0"), no_nul);
        }
        let rewritten = super::rewrite_encoded(file(b"", None), &format!("{}\0", "a".repeat(9000)));
        assert_eq!(rewritten.err().map(|refusal| refusal.to_string()), no_nul);
        let added = edit_text(Some(&long), ("w.txt", "\0"), |content| {
            Ok(append_to_file(content, "w.txt", "\0"))
        });
        assert_eq!(added.err().map(|refusal| refusal.to_string()), no_nul);
        // A removal that brings a NUL to the front.
        let late = [vec![b'a'; 8000], b"b\0".to_vec()].concat();
        let front = "a".repeat(9);
        let removal = Replacement { old_string: &front, new_string: "", replace_all: true };
        let made = edit_encoded(file(&late, None), (&front, ""), |content| {
            edit_file(content.unwrap_or_default(), "w.txt", removal)
        });
        assert_eq!(made.err().map(|refusal| refusal.to_string()), unknown);
        // In UTF-16 it is a character like others, and a terminal's colours are text.
        assert!(edited(file(&marked, None), "b", "\0").is_ok());
        assert!(edited(file(b"ab", None), "b", "\x1b[31mb\x1b[0m").is_ok());
        assert_eq!(
            refusal(b"ab", Some(TextEncoding::Latin1), "a", "\u{ff}\u{fe}a").as_deref(),
            Some("Error: w.txt was not changed: it is latin-1, and would be read as utf-16le.")
        );
        for content in [None, Some(b"a".as_slice())] {
            let file = EncodedFile { content, path: "w.txt", told: None };
            let refused = [
                edit_encoded(file, ("", "\0"), |content| {
                    Ok(append_to_file(content, "w.txt", "\0"))
                }),
                edit_text(content, ("w.txt", "\0"), |content| {
                    Ok(prepend_to_file(content, "w.txt", "\0"))
                }),
                super::rewrite_encoded(file, "b\0"),
            ];
            for made in refused {
                assert_eq!(made.err().map(|refusal| refusal.to_string()), nul);
            }
        }
        // A text of the host that no file could hold as text may be edited.
        let held = edit_text(Some(b"a\0"), ("w.txt", "b"), |content| {
            Ok(append_to_file(content, "w.txt", "b"))
        });
        assert_eq!(held.map(|edited| edited.content), Ok(b"a\0b".to_vec()));
    }
}
