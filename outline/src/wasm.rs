//! The boundary.

use crate::{Budget, Problem};
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

/// Makes panics readable in the console. Called once when the module starts.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Returns the languages of this module.
#[wasm_bindgen]
pub fn languages() -> Vec<String> {
    crate::languages().into_iter().map(str::to_owned).collect()
}

/// Returns the outline as JSON. `lines` and `tokens` are budgets; at most one is given.
#[wasm_bindgen]
pub fn outline(
    language: &str,
    content: &str,
    lines: Option<usize>,
    tokens: Option<usize>,
) -> Result<String, JsValue> {
    let budget = match (lines, tokens) {
        (Some(lines), _) => Budget::Lines(lines),
        (None, Some(tokens)) => Budget::Tokens(tokens),
        (None, None) => Budget::Quarter,
    };
    let outline = crate::outline(language, content, budget).map_err(|problem| to_js(&problem))?;
    serde_json::to_string(&outline).map_err(|error| JsValue::from_str(&error.to_string()))
}

/// Returns the object from which TypeScript creates a `TrimtabError`.
fn to_js(problem: &Problem) -> JsValue {
    let report = Object::new();
    let entries = [("code", problem.code().into()), ("message", problem.to_string().into())];
    for (key, value) in entries {
        // Fails only for a frozen object or a proxy.
        let _ = Reflect::set(&report, &key.into(), &value);
    }
    report.into()
}
