//! Edits and reads of files. Contents to edit are passed whole; contents to read in chunks, through one buffer.

use super::{Returned, problem_value, to_js};
use crate::bytes::{Source, TextEncoding, sniff_bytes};
use crate::editing::{
    self, EditRefusal, EditSummary, Edited, EncodedFile, Refusal, Replacement, SectionUpdate,
};
use crate::message::Problem;
use crate::reading::{self, Files, FilesRequest, ReadLimits, ReadOptions};
use crate::text;
use crate::tokens::estimate_tokens;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

/// Chunk size for reads: a file of any size needs no more memory in wasm.
const CHUNK_BYTES: usize = 256 << 10;

#[wasm_bindgen]
extern "C" {
    /// The contents of the files to read (`js/src/files/content-source.ts`). No method throws.
    pub type FileSources;

    /// Writes a chunk of a file and returns its size in bytes: 0 after the last chunk.
    #[wasm_bindgen(method)]
    fn fill(this: &FileSources, file: u32, chunk: u32, target: &mut [u8]) -> u32;
    /// Whether the host gave the content as a text.
    #[wasm_bindgen(method, js_name = isText)]
    fn is_text(this: &FileSources, file: u32) -> bool;
    /// Returns the tokens of a text; negative if the host does not count tokens.
    #[wasm_bindgen(method, js_name = countTokens)]
    fn count_tokens(this: &FileSources, text: &str) -> f64;
}

/// An edit that was made or refused.
#[wasm_bindgen]
pub struct EditOutcome(Result<Edited, Refusal>);

#[wasm_bindgen]
impl EditOutcome {
    /// Returns the content after a successful edit; can be taken only once.
    #[wasm_bindgen(js_name = takeContent)]
    pub fn take_content(&mut self) -> Option<Vec<u8>> {
        self.0.as_mut().ok().map(|edited| std::mem::take(&mut edited.content))
    }

    /// Returns an `EditSummary` or an `EditRefusal`.
    pub fn report(&self) -> Returned {
        Ok(match &self.0 {
            Ok(edited) => to_js(&EditSummary::from(edited)),
            Err(refusal) => to_js(&EditRefusal::from(refusal)),
        })
    }
}

/// Makes an edit of a text of the host, or of a file's bytes, for which the host may name the encoding.
fn edited(
    (content, path, encoding): (Option<&[u8]>, &str, Option<String>),
    texts: (&str, &str),
    edit: impl FnOnce(Option<&[u8]>) -> Result<Edited, Refusal>,
) -> EditOutcome {
    EditOutcome(match encoding {
        None => editing::edit_text(content, (path, texts.1), edit),
        Some(encoding) => {
            let told = TextEncoding::of(&encoding);
            editing::edit_encoded(EncodedFile { content, path, told }, texts, edit)
        }
    })
}

/// Replaces a text of a file. `encoding`: none for a text of the host; of bytes the one that the host named, or empty.
#[wasm_bindgen(js_name = editFile)]
pub fn edit_file(
    content: &[u8],
    path: &str,
    encoding: Option<String>,
    old_string: &str,
    new_string: &str,
    replace_all: bool,
) -> EditOutcome {
    let edit = Replacement { old_string, new_string, replace_all };
    let texts = (old_string, new_string);
    edited((Some(content), path, encoding), texts, |content| {
        editing::edit_file(content.unwrap_or_default(), path, edit)
    })
}

/// Appends a text to a file, or creates the file.
#[wasm_bindgen(js_name = appendToFile)]
pub fn append_to_file(
    content: Option<Box<[u8]>>,
    path: &str,
    encoding: Option<String>,
    text: &str,
) -> EditOutcome {
    edited((content.as_deref(), path, encoding), ("", text), |content| {
        Ok(editing::append_to_file(content, path, text))
    })
}

/// Adds a text at the beginning of a file, or creates the file.
#[wasm_bindgen(js_name = prependToFile)]
pub fn prepend_to_file(
    content: Option<Box<[u8]>>,
    path: &str,
    encoding: Option<String>,
    text: &str,
) -> EditOutcome {
    edited((content.as_deref(), path, encoding), ("", text), |content| {
        Ok(editing::prepend_to_file(content, path, text))
    })
}

/// Replaces the content under a Markdown heading.
#[wasm_bindgen(js_name = updateSection)]
pub fn update_section(
    content: &[u8],
    path: &str,
    encoding: Option<String>,
    header: &str,
    text: &str,
) -> EditOutcome {
    edited((Some(content), path, encoding), (header, text), |content| {
        editing::update_section(content.unwrap_or_default(), path, SectionUpdate { header, text })
    })
}

/// Encodes a text that replaces all of a file in the file's encoding.
#[wasm_bindgen(js_name = rewriteFile)]
pub fn rewrite_file(
    content: Option<Box<[u8]>>,
    path: &str,
    encoding: &str,
    text: &str,
) -> EditOutcome {
    let file = EncodedFile { content: content.as_deref(), path, told: TextEncoding::of(encoding) };
    EditOutcome(editing::rewrite_encoded(file, text))
}

/// Returns the type of a binary file, by its beginning; `undefined` for text.
#[wasm_bindgen(js_name = binaryKind)]
#[must_use]
pub fn binary_kind(head: &[u8], encoding: &str) -> Option<String> {
    sniff_bytes(head, TextEncoding::of(encoding)).binary_kind().map(str::to_owned)
}

/// Formats the first of the files. `encoding` is the one that the host named, or empty; `options` is the JSON of
/// `ReadOptions`.
#[wasm_bindgen(js_name = formatRead)]
pub fn format_read(sources: &FileSources, path: &str, encoding: &str, options: &str) -> Returned {
    let options: ReadOptions = parse(options)?;
    let mut files = HostFiles::new(sources);
    let read =
        reading::format_read(path, &mut files.source(0), TextEncoding::of(encoding), &options);
    read.map(|read| to_js(&read)).map_err(|problem| problem_value(&problem))
}

/// Reads several files. `request` is the JSON of `FilesRequest`.
#[wasm_bindgen(js_name = readFiles)]
pub fn read_files(sources: &FileSources, request: &str) -> Returned {
    let request: FilesRequest = parse(request)?;
    let result = reading::read_files(&request, &mut HostFiles::new(sources));
    result.map(|result| to_js(&result)).map_err(|problem| problem_value(&problem))
}

/// Returns the maximum tokens of a read. `limits` is the JSON of `ReadLimits`.
#[wasm_bindgen(js_name = readTokenLimit)]
pub fn read_token_limit(limits: &str, ephemeral: bool) -> Result<f64, JsValue> {
    let limits: ReadLimits = parse(limits)?;
    limits.check().map_err(|problem| problem_value(&problem))?;
    Ok(limits.max_tokens(ephemeral) as f64)
}

fn parse<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|error| {
        let reason = format!("the options cannot be used: {error}");
        problem_value(&Problem::InvalidOption { option: "options", reason })
    })
}

/// The host's files, read through one buffer.
struct HostFiles<'h> {
    sources: &'h FileSources,
    buffer: Vec<u8>,
}

impl<'h> HostFiles<'h> {
    fn new(sources: &'h FileSources) -> Self {
        Self { sources, buffer: vec![0; CHUNK_BYTES] }
    }
}

impl Files for HostFiles<'_> {
    fn source(&mut self, index: usize) -> impl Source {
        HostFile { sources: self.sources, file: index as u32, buffer: &mut self.buffer }
    }

    fn count_tokens(&mut self, text: &str) -> f64 {
        let counted = self.sources.count_tokens(text);
        if counted >= 0.0 { counted } else { estimate_tokens(text.len() as u64) as f64 }
    }
}

struct HostFile<'h, 'b> {
    sources: &'h FileSources,
    file: u32,
    buffer: &'b mut Vec<u8>,
}

impl Source for HostFile<'_, '_> {
    fn chunk(&mut self, index: usize, sink: &mut dyn FnMut(&[u8])) -> bool {
        let filled = self.sources.fill(self.file, index as u32, self.buffer) as usize;
        sink(&self.buffer[..filled.min(self.buffer.len())]);
        filled > 0
    }

    fn is_decoded(&self) -> bool {
        self.sources.is_text(self.file)
    }
}

/// Returns why a glob cannot match anything, if so.
#[wasm_bindgen(js_name = globProblem)]
#[must_use]
pub fn glob_problem(glob: &str) -> Option<String> {
    text::glob_problem(glob).map(str::to_owned)
}

/// Returns whether a path matches a glob.
#[wasm_bindgen(js_name = globMatches)]
#[must_use]
pub fn glob_matches(glob: &str, path: &str) -> bool {
    text::glob_matches(glob, path)
}
