//! The boundary: convert, delegate, convert. Facts stay here, ids and edits cross, contents stay with the host.

mod host;
mod policy;
mod session;
mod validity;

pub use host::{Host, scratch};
pub use policy::CompiledPolicy;
use policy::read_age_policy;
pub use session::Session;

use crate::message::{Key, Problem, Word};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Readable panics in the console. Run once by the glue.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The field names of all formats, in the order of their numbers.
#[wasm_bindgen]
pub fn keys() -> Vec<String> {
    Key::ALL.iter().map(|key| key.text().to_owned()).collect()
}

/// The literal words of all formats, in the order of their numbers.
#[wasm_bindgen]
pub fn words() -> Vec<String> {
    Word::ALL.iter().map(|word| word.text().to_owned()).collect()
}

/// The estimated tokens of a text of so many UTF-8 bytes.
#[wasm_bindgen]
pub fn estimate_tokens(bytes: f64) -> f64 {
    crate::tokens::estimate_tokens(bytes as u64) as f64
}

/// A problem as TypeScript takes it, to make a `TrimtabError` of.
#[derive(Serialize)]
struct ProblemReport {
    code: &'static str,
    message: String,
    index: Option<usize>,
}

fn problem_value(problem: &Problem) -> JsValue {
    to_js(&ProblemReport {
        code: problem.code(),
        message: problem.to_string(),
        index: problem.index(),
    })
}

/// Plain objects and arrays, as JSON would have them. Only small reports cross this way.
fn to_js(value: &impl Serialize) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}
