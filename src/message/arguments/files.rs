//! The files that arguments name, with the requested lines.

use super::keys::{PATH_KEYS, is_file_key, name, name_at, shows_the_same};
use crate::message::value::words::Key;
use crate::text::joined;
use crate::text::json::{Json, entries, field, integer, number, text};

/// A file that a call names, with the requested lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRange {
    /// Its path, as [`normal_path`] writes it.
    pub path: String,
    /// First and last line, from 1; `None` for the whole file. `u32::MAX` is an open end.
    pub lines: Option<(u32, u32)>,
    /// Whether less than these lines is requested, or something else: a part of a line, lines whose position only the
    /// file tells, or what an unknown argument asks for (`pages`, `symbol`, `branch`).
    pub partial_request: bool,
}

/// The files that an object of arguments names.
pub fn files_of(value: &Json<'_>) -> Vec<FileRange> {
    let files = one_file(value).map_or_else(|| listed_files(value), |file| vec![file]);
    if files.is_empty() { patched_files_in(value) } else { files }
}

fn one_file(value: &Json<'_>) -> Option<FileRange> {
    let path = PATH_KEYS.iter().find_map(|key| name_at(value, *key))?;
    let (lines, partial_request) = line_range(value);
    Some(FileRange { path: normal_path(path), lines, partial_request })
}

fn listed_files(value: &Json<'_>) -> Vec<FileRange> {
    let lists = [Key::FilePaths, Key::Paths, Key::Files];
    let mut lists = lists.iter().filter_map(|key| entries(field(value, key.text())?));
    let Some(list) = lists.next() else { return Vec::new() };
    let (lines, partial_request) = line_range(value);
    let file = |entry: &Json<'_>| match text(entry) {
        Some(_) => {
            name(entry).map(|path| FileRange { path: normal_path(path), lines, partial_request })
        }
        None => one_file(entry),
    };
    list.iter().filter_map(file).collect()
}

/// The requested lines, and whether less than them is requested.
fn line_range(value: &Json<'_>) -> (Option<(u32, u32)>, bool) {
    let given = |key: &Key| field(value, key.text()).filter(|json| is_given(json));
    let pair = first(RANGE_KEYS.iter().filter_map(given).map(pair));
    let numbers = LINE_KEYS.map(|keys| first(keys.iter().filter_map(given).map(line)));
    let (Some(pair), [Some(start), Some(end), Some(offset), Some(limit)]) = (pair, numbers) else {
        return (None, true);
    };
    let limit = limit.filter(|limit| *limit > 0);
    let is_other = asks_for_other(value);
    let (first, last) = match (pair, start.or(end), offset.or(limit)) {
        (Some((first, last)), _, _) => (first, if last < 0 { i64::MAX } else { last }),
        (None, Some(_), _) => (start.unwrap_or(1), end.unwrap_or(i64::MAX)),
        (None, None, Some(_)) => {
            let first = offset.unwrap_or(1);
            (first, limit.map_or(i64::MAX, |limit| first.max(1).saturating_add(limit - 1)))
        }
        (None, None, None) => return (None, is_other),
    };
    // An offset from the end has no line number without the file.
    let lines = (first >= 0 && first <= last).then(|| (clamp(first.max(1)), clamp(last)));
    let is_partial = is_other
        || lines.is_none()
        || given(&Key::Column).and_then(line).is_some_and(|column| column > 1);
    (lines.filter(|lines| *lines != (1, u32::MAX)), is_partial)
}

/// Whether arguments have one of unknown meaning.
fn asks_for_other(value: &Json<'_>) -> bool {
    let Json::Object(fields) = value else { return false };
    let is_known = |key: &str| is_file_key(key) || LINES.iter().any(|known| known.text() == key);
    fields.iter().any(|(key, value)| !is_known(key) && !shows_the_same(key, value))
}

/// Returns the first of the values that arguments have, if there is any; `None` if one of them cannot be read.
fn first<T>(mut values: impl Iterator<Item = Option<T>>) -> Option<Option<T>> {
    values.try_fold(None, |first, value| Some(first.or(Some(value?))))
}

/// Arguments that are two lines: the first and the last.
const RANGE_KEYS: [Key; 2] = [Key::ViewRange, Key::LineRange];
/// Arguments that are one line, or a number of lines: of the first line, the last one, the offset and the limit.
const LINE_KEYS: [&[Key]; 4] = [
    &[Key::StartLine, Key::StartLineCamel, Key::Start],
    &[Key::EndLine, Key::EndLineCamel, Key::End],
    &[Key::Offset],
    &[Key::Limit],
];

/// All arguments that are lines of a file, or a part of one.
pub const LINES: &[Key] = &[
    Key::ViewRange,
    Key::LineRange,
    Key::StartLine,
    Key::StartLineCamel,
    Key::Start,
    Key::EndLine,
    Key::EndLineCamel,
    Key::End,
    Key::Offset,
    Key::Limit,
    Key::Column,
];

#[test]
fn all_lines_are_known() {
    let all = RANGE_KEYS.into_iter().chain(LINE_KEYS.concat()).chain([Key::Column]);
    assert_eq!(all.collect::<Vec<_>>(), LINES);
}

/// Whether an argument has a value: models pass empty texts for what they leave out.
fn is_given(json: &Json<'_>) -> bool {
    !matches!(json, Json::Null) && text(json).is_none_or(|text| !text.trim().is_empty())
}

/// A whole number, or a text that contains one.
fn line(json: &Json<'_>) -> Option<i64> {
    let whole = || number(json).filter(|line| line.fract() == 0.0 && line.abs() < 1e15);
    integer(json)
        .or_else(|| whole().map(|line| line as i64))
        .or_else(|| text(json)?.trim().parse().ok())
}

/// Two lines: a list, or a text such as `[5, 10]` and `5-10`.
fn pair(json: &Json<'_>) -> Option<(i64, i64)> {
    if let Some(list) = entries(json) {
        return Some((line(list.first()?)?, line(list.get(1)?)?));
    }
    let text = text(json)?.trim_matches([' ', '[', ']', '(', ')']);
    let (first, last) = text.split_once([',', '-', ':'])?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

fn clamp(line: i64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn patched_files_in(value: &Json<'_>) -> Vec<FileRange> {
    let keys = [Key::Input, Key::Patch, Key::Diff];
    let patch = keys.iter().find_map(|key| text(field(value, key.text())?));
    patch.map_or_else(Vec::new, patched_files)
}

/// The files of an `apply_patch` text (`*** Update File: PATH`; the format of the Codex agent).
pub fn patched_files(text: &str) -> Vec<FileRange> {
    const STARTS: &[&str] =
        &["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];
    let path = |line: &str| {
        STARTS.iter().find_map(|start| line.strip_prefix(start)).map(str::trim).map(normal_path)
    };
    text.lines()
        .filter_map(path)
        .map(|path| FileRange { path, lines: None, partial_request: false })
        .collect()
}

/// The one name of a file for all ways to write its path: with `/` between its parts, without `.`, `..`, `file://`, `\\?\`
/// and a slash at the end, and with a drive's letter as a capital. js/src/timeline/normal-path.ts does the same.
pub fn normal_path(path: &str) -> String {
    let path = path.trim();
    match path.strip_prefix("file://") {
        Some(url) => joined_parts(&decoded(url.strip_prefix("localhost").unwrap_or(url))),
        None => joined_parts(path.strip_prefix(r"\\?\").unwrap_or(path)),
    }
}

/// The text of a URL with its escapes (`%20`) decoded; the text itself if that is no UTF-8.
fn decoded(url: &str) -> String {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes().iter();
    while let Some(byte) = rest.next() {
        let escaped = match rest.as_slice() {
            [high, low, ..] if *byte == b'%' => digit(*high).zip(digit(*low)),
            _ => None,
        };
        bytes.push(escaped.map_or(*byte, |(high, low)| (high * 16 + low) as u8));
        if escaped.is_some() {
            rest.nth(1);
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| url.to_owned())
}

fn joined_parts(path: &str) -> String {
    const SEPARATORS: [char; 2] = ['/', '\\'];
    let is_drive =
        |part: &&str| matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
    let has_root = path.starts_with(SEPARATORS);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(SEPARATORS) {
        let has_drive = parts.first().is_some_and(is_drive);
        let is_below =
            parts.last().is_some_and(|last| *last != "..") && !(has_drive && parts.len() == 1);
        match part {
            "" | "." => {}
            ".." if is_below => _ = parts.pop(),
            ".." if has_root || has_drive => {}
            _ => parts.push(part),
        }
    }
    let mut normal = joined(&parts, "/");
    if parts.first().is_some_and(is_drive) {
        normal.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    } else if has_root {
        normal.insert(0, '/');
    } else if normal.is_empty() {
        normal.push('.');
    }
    normal
}
