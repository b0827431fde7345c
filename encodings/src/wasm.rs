//! The boundary. A text is written by the host, as UTF-8, where it is read: nothing is copied on the way in.

use crate::{Allowed, Encoding, Problem};
use js_sys::{Object, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Above this the room for texts is given back after use: a wasm memory never shrinks, but what is free is used again.
const ROOM_KEPT: usize = 1 << 20;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Readable panics in the console. Run once by the glue.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Makes room for a text of so many bytes, keeping what is there, and says where it is: the host writes there.
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
    /// A published encoding that this module has.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Encoder, JsValue> {
        Encoding::named(name).map(Encoder).map_err(|problem| to_js(&problem))
    }

    /// An encoding of a vocabulary, a `.tiktoken` file of so many bytes in the room.
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

    /// The tokens of the text of so many bytes in the room. `names` are the special tokens in it, where not `all` are.
    pub fn count(&self, bytes: usize, all: bool, names: Vec<String>) -> Result<usize, JsValue> {
        take_text(bytes, |text| self.0.count(text, &allowed(all, names)))
    }

    /// Their ids.
    pub fn encode(&self, bytes: usize, all: bool, names: Vec<String>) -> Result<Vec<u32>, JsValue> {
        take_text(bytes, |text| self.0.encode(text, &allowed(all, names)))
    }

    /// The bytes of tokens.
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

/// What TypeScript makes a `TrimtabError` of.
fn to_js(problem: &Problem) -> JsValue {
    let report = Object::new();
    let entries = [("code", problem.code().into()), ("message", problem.to_string().into())];
    for (key, value) in entries {
        // Only a frozen object or a proxy would refuse.
        let _ = Reflect::set(&report, &key.into(), &value);
    }
    report.into()
}
