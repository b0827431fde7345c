//! Reads several files, with the results of the read tool of the document "ReadTool Improvements".

use super::beyond::propose_what_fits;
use super::examples::{and_the_rest, examples};
use super::format::{FileRead, format_read};
use super::limits::{ReadLimits, TOO_LARGE_SUGGESTION, too_large};
use super::notice;
use super::options::ReadOptions;
use super::request::{Files, FilesRequest};
use crate::bytes::{byte_count, sniff};
use crate::message::Problem;
use crate::text::keep_start;
use crate::tokens::BYTES_PER_TOKEN;
use serde::Serialize;

/// Text before the content of an ephemeral read, followed by a blank line.
pub const EPHEMERAL_READ_WARNING: &str = "[EPHEMERAL READ: This content will be removed from conversation after current turn. If you need it later, use a regular read or save key information in your response.]";

/// The result of a read of several files. The fields have the document's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(untagged)]
pub enum ReadResult {
    /// At least one file was read.
    Read(ReadSuccess),
    /// Nothing was read.
    Failed(ReadFailure),
}

/// At least one file was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ReadSuccess {
    /// Always false.
    #[serde(rename = "isError")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "false"))]
    pub is_error: bool,
    /// The text for the model: the files, and the errors of those that failed, separated by blank lines.
    pub content: String,
    /// Number of files that were read.
    pub files_read: usize,
    /// Number of files that could not be read.
    pub files_failed: usize,
    /// Whether some files could not be read.
    pub partial_failure: bool,
    /// Set for an ephemeral read: the content should be removed from the conversation after the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "true"))]
    pub _ephemeral: Option<bool>,
    /// Set for an ephemeral read: the text to put before the content, followed by a blank line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub _ephemeral_warning: Option<&'static str>,
    /// Facts about each file that was read.
    pub files: Vec<FileRead>,
}

/// Nothing was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ReadFailure {
    /// Always true.
    #[serde(rename = "isError")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "true"))]
    pub is_error: bool,
    /// Description of the problem, for the model.
    pub error: String,
    /// The kind of error.
    pub error_type: ReadErrorType,
    /// What to do instead, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub suggestion: Option<String>,
}

/// Why nothing was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum ReadErrorType {
    /// The call is invalid: no files, or too much content.
    ValidationError,
    /// No file could be read.
    FileError,
}

/// Reads several files. A file that fails does not prevent the others from being read.
pub fn read_files(request: &FilesRequest, files: &mut impl Files) -> Result<ReadResult, Problem> {
    request.options.check()?;
    if request.files.is_empty() {
        let tool = request.tool.as_deref().unwrap_or("read");
        return Ok(failure(
            "file_paths must be a non-empty array".to_owned(),
            ReadErrorType::ValidationError,
            Some(format!("Example: {tool}(file_paths=[\"src/main.ts\", \"package.json\"])")),
        ));
    }
    if let Some(limits) = &request.limits {
        limits.check()?;
        // Unless a slice is requested, the size is checked before anything is read.
        if !request.options.is_slice() {
            let estimated = estimate(request, files);
            if let Some(refused) = check_size(request, limits, estimated, files) {
                return Ok(refused);
            }
        }
    }
    let read = read_each(request, files)?;
    let shows_lines = read.files.iter().any(|file| file.binary.is_none());
    if let (Some(limits), true) = (&request.limits, shows_lines) {
        // Headers and line numbers count too: the whole text must be within the limit.
        let counted = count_shown(request, &read.content, files);
        if let Some(refused) = check_size(request, limits, counted, files) {
            let cut = read_cut_line(request, &read, limits, files)?;
            return Ok(cut.map_or(refused, |read| read.into_result(is_ephemeral(request))));
        }
    }
    Ok(read.into_result(is_ephemeral(request)))
}

/// Reads the beginning of a single line that exceeds the limit; the text says where to continue.
fn read_cut_line(
    request: &FilesRequest,
    read: &Outcome,
    limits: &ReadLimits,
    files: &mut impl Files,
) -> Result<Option<Outcome>, Problem> {
    let ([_], [file]) = (request.files.as_slice(), read.files.as_slice()) else { return Ok(None) };
    if !matches!(file.shown.as_slice(), [lines] if lines.start == lines.end) {
        return Ok(None);
    }
    let max_tokens = limits.max_tokens(request.ephemeral);
    let mut shown = None;
    let mut problem = None;
    request.widest_line(max_tokens, |width| {
        let options = ReadOptions { max_line_length: Some(width), ..request.options.clone() };
        match read_each(&FilesRequest { options, ..request.clone() }, files) {
            Ok(read) => {
                let texts = read.files.first().map(|file| and_the_rest(file, &request.options));
                let mut fit =
                    |text: &String| count_shown(request, text, files) <= max_tokens as f64;
                let fits = texts.iter().flatten().all(&mut fit);
                // The last one that fits is the widest.
                shown = if fits { Some(read) } else { shown.take() };
                fits
            }
            Err(found) => {
                problem = Some(found);
                false
            }
        }
    });
    problem.map_or(Ok(shown), Err)
}

/// Returns the tokens of what a read shows, with the warning before an ephemeral one.
fn count_shown(request: &FilesRequest, content: &str, files: &mut impl Files) -> f64 {
    if is_ephemeral(request) {
        files.count_tokens(&format!("{EPHEMERAL_READ_WARNING}\n\n{content}"))
    } else {
        files.count_tokens(content)
    }
}

fn failure(error: String, error_type: ReadErrorType, suggestion: Option<String>) -> ReadResult {
    ReadResult::Failed(ReadFailure { is_error: true, error, error_type, suggestion })
}

fn is_ephemeral(request: &FilesRequest) -> bool {
    request.ephemeral && request.limits.as_ref().is_none_or(ReadLimits::allows_ephemeral)
}

fn check_size(
    request: &FilesRequest,
    limits: &ReadLimits,
    tokens: f64,
    files: &mut impl Files,
) -> Option<ReadResult> {
    let max_tokens = limits.max_tokens(request.ephemeral);
    if tokens <= max_tokens as f64 {
        return None;
    }
    let ordinary = limits.max_tokens(false).min(max_tokens);
    let examples = examples(request, files, ordinary);
    let offers_ephemeral = !is_ephemeral(request) && limits.allows_ephemeral();
    let error = too_large(
        tokens,
        max_tokens,
        &examples,
        offers_ephemeral,
        request.options.line_arguments(),
    );
    Some(failure(error, ReadErrorType::ValidationError, Some(TOO_LARGE_SUGGESTION.to_owned())))
}

/// Estimates the tokens of whole files from their sizes. Binary files are not shown, so they count 0.
fn estimate(request: &FilesRequest, files: &mut impl Files) -> f64 {
    let mut bytes = 0;
    for (index, file) in request.files.iter().enumerate() {
        if file.error.is_some() {
            continue;
        }
        let mut source = files.source(index);
        if sniff(&mut source, file.encoding).text().is_some() {
            bytes += byte_count(&mut source);
        }
    }
    bytes as f64 / BYTES_PER_TOKEN
}

/// Maximum bytes of the error if all files failed.
const SHOWN_ERRORS: usize = 4000;

/// The files that were read, and the errors of the others.
struct Outcome {
    content: String,
    files: Vec<FileRead>,
    errors: Vec<String>,
}

fn read_each(request: &FilesRequest, files: &mut impl Files) -> Result<Outcome, Problem> {
    let mut sections = Vec::new();
    let mut outcome = Outcome { content: String::new(), files: Vec::new(), errors: Vec::new() };
    for (index, file) in request.files.iter().enumerate() {
        if let Some(error) = &file.error {
            sections.push(format!("{}\nError: {error}", notice::header(&file.path)));
            outcome.errors.push(format!("{}: {error}", file.path));
            continue;
        }
        let mut read =
            format_read(&file.path, &mut files.source(index), file.encoding, &request.options)?;
        if let Some(limits) = &request.limits {
            let max_tokens = limits.max_tokens(request.ephemeral);
            propose_what_fits(&mut read, request, index, files, max_tokens);
        }
        sections.push(read.text.clone());
        outcome.files.push(read);
    }
    outcome.content = sections.join("\n\n");
    Ok(outcome)
}

impl Outcome {
    fn into_result(self, ephemeral: bool) -> ReadResult {
        let failed = self.errors.len();
        if self.files.is_empty() {
            let plural = if failed == 1 { "" } else { "s" };
            let all = self.errors.join(", ");
            let shown = keep_start(&all, SHOWN_ERRORS);
            let rest = if shown.len() < all.len() { ", ..." } else { "" };
            let error = format!("Failed to read {failed} file{plural}: {shown}{rest}");
            return failure(error, ReadErrorType::FileError, None);
        }
        ReadResult::Read(ReadSuccess {
            is_error: false,
            content: self.content,
            files_read: self.files.len(),
            files_failed: failed,
            partial_failure: failed > 0,
            _ephemeral: ephemeral.then_some(true),
            _ephemeral_warning: ephemeral.then_some(EPHEMERAL_READ_WARNING),
            files: self.files,
        })
    }
}
