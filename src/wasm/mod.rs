//! The boundary: convert, delegate, convert. Facts stay in wasm, ids and edits are passed to JavaScript, contents stay with
//! the host.
//!
//! Each feature is a wasm file of the package and selects its exports.

#[cfg(feature = "core")]
mod description;
#[cfg(feature = "files")]
mod files;
#[cfg(any(feature = "core", feature = "validity"))]
mod host;
#[cfg(feature = "index")]
mod index;
#[cfg(feature = "core")]
mod policy;
#[cfg(any(feature = "core", feature = "validity"))]
mod read;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "core")]
mod sentences;
#[cfg(feature = "core")]
mod session;
#[cfg(feature = "files")]
mod texts;
#[cfg(feature = "validity")]
mod validity;

#[cfg(feature = "files")]
pub use files::{
    EditOutcome, FileSources, append_to_file, binary_kind, edit_file, format_read, prepend_to_file,
    read_files, read_token_limit, update_section,
};
#[cfg(any(feature = "core", feature = "validity"))]
pub use host::{Host, tables};
#[cfg(feature = "index")]
pub use index::Index;
#[cfg(feature = "search")]
pub use search::FileSearch;
#[cfg(feature = "files")]
pub use texts::{estimate_text, key_info, truncate_text};
#[cfg(feature = "validity")]
pub use validity::{repair, validate};
#[cfg(feature = "core")]
pub use {
    description::{
        active_files, block_text, is_truncated, plan_placeholders, recall, steps, summaries,
        unbound, usage,
    },
    policy::CompiledPolicy,
    sentences::sentences,
    session::Session,
};

use crate::message::{Problem, ProblemReport};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Smaller than Rust's default allocator, and as fast.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Makes the message of a panic that of the error which the host gets. The instance is not used after it
/// (`js/src/engine/module.ts`). Called once when the module starts.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// A value that a function returns to the host. Such a function does not return the `JsValue` alone: V8 of Node 20 and 22
/// inlines a call of wasm whose only result is an `externref`, and ends the process if its caller is deoptimized
/// during the call (`docs/decisions/testing.md`). A `Result` is several numbers.
type Returned = Result<JsValue, JsValue>;

fn problem_value(problem: &Problem) -> JsValue {
    to_js(&ProblemReport::from(problem))
}

/// Converts to plain objects and arrays. Only used for small reports.
///
/// In the core, which is in every bundle, a report crosses as JSON text: that needs less code.
#[cfg(feature = "core")]
fn to_js(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value).map_or(JsValue::UNDEFINED, |json| parse_json(&json))
}

/// Converts to plain objects and arrays. Only used for small reports.
#[cfg(not(feature = "core"))]
fn to_js(value: &impl Serialize) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}

#[cfg(feature = "core")]
#[wasm_bindgen]
extern "C" {
    /// Creates the value that a JSON text describes.
    #[wasm_bindgen(js_namespace = JSON, js_name = parse)]
    fn parse_json(text: &str) -> JsValue;
}
