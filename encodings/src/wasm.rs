//! The boundary. The host writes texts as UTF-8 directly to the buffer they are read from, without a copy.

use crate::{Allowed, Encoding, Problem};
use js_sys::{Object, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Buffers larger than this are freed after use: wasm memory never shrinks, but freed memory is reused.
const ROOM_KEPT: usize = 1 << 20;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes panics readable in the console. Called once when the module starts.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Grows the buffer to at least `bytes` bytes, keeping its content, and returns its address, for the host to write to.
#[wasm_bindgen]
pub fn room(bytes: usize) -> usize {
    TEXT.with_borrow_mut(|text| {
        if text.len() < bytes {
            text.resize(bytes, 0);
        }
        text.as_ptr() as usize
    })
}

/// An encoding.
#[wasm_bindgen]
pub struct Encoder(Encoding);

#[wasm_bindgen]
impl Encoder {
    /// Creates a published encoding of this module.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Encoder, JsValue> {
        Encoding::named(name).map(Encoder).map_err(|problem| to_js(&problem))
    }

    /// Creates an encoding from a `.tiktoken` vocabulary, in the first `bytes` bytes of the buffer.
    #[cfg(feature = "custom")]
    pub fn custom(
        bytes: usize,
        pattern: &str,
        names: Vec<String>,
        ids: Vec<u32>,
    ) -> Result<Encoder, JsValue> {
        let special = names.into_iter().zip(ids).collect();
        take_text(bytes, |vocabulary| crate::custom::custom(vocabulary, pattern, special))
            .map(Encoder)
    }

    /// Counts the tokens of the text in the first `bytes` bytes of the buffer. `names` are the allowed special tokens,
    /// unless `all` are.
    pub fn count(&self, bytes: usize, all: bool, names: Vec<String>) -> Result<usize, JsValue> {
        take_text(bytes, |text| self.0.count(text, &allowed(all, names)))
    }

    /// Returns the token ids of that text.
    pub fn encode(&self, bytes: usize, all: bool, names: Vec<String>) -> Result<Vec<u32>, JsValue> {
        take_text(bytes, |text| self.0.encode(text, &allowed(all, names)))
    }

    /// Returns the bytes of tokens.
    pub fn decode(&self, tokens: &[u32]) -> Result<Vec<u8>, JsValue> {
        self.0.decode(tokens).map_err(|problem| to_js(&problem))
    }
}

fn allowed(all: bool, names: Vec<String>) -> Allowed {
    match (all, names.is_empty()) {
        (true, _) => Allowed::All,
        (false, true) => Allowed::None,
        (false, false) => Allowed::Some(names),
    }
}

fn take_text<T>(bytes: usize, read: impl FnOnce(&str) -> Result<T, Problem>) -> Result<T, JsValue> {
    TEXT.with_borrow_mut(|text| {
        let written = text.get(..bytes).unwrap_or_default();
        let result = std::str::from_utf8(written)
            .map_err(|error| Problem::NotUtf8(error.valid_up_to()))
            .and_then(read)
            .map_err(|problem| to_js(&problem));
        if text.len() > ROOM_KEPT {
            *text = Vec::new();
        }
        result
    })
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
