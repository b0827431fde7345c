//! Access to the host's values through a TypeScript object (`js/src/history/value-reader.ts`), which also records what
//! the host may change in place.

use super::{Returned, to_js};
use crate::message::{Key, Kind, Value, Word};
use serde::Serialize;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use wasm_bindgen::prelude::*;

/// Texts are passed in pieces of at most this many bytes, so a text of any size needs no more memory in wasm.
const SCRATCH_BYTES: usize = 128 << 10;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; SCRATCH_BYTES]);
}

/// What the host needs to read its values.
#[derive(Serialize)]
struct Tables {
    /// The field names of all formats, in the order of their numbers.
    keys: Vec<&'static str>,
    /// The literal words of all formats, in the order of their numbers.
    words: Vec<&'static str>,
    /// The address and length of the buffer to which the host writes pieces of a text.
    scratch: [usize; 2],
}

/// Returns the [`Tables`].
#[wasm_bindgen]
pub fn tables() -> Returned {
    Ok(to_js(&Tables {
        keys: Key::ALL.iter().map(|key| key.text()).collect(),
        words: Word::ALL.iter().map(|word| word.text()).collect(),
        scratch: SCRATCH.with_borrow(|scratch| [scratch.as_ptr() as usize, scratch.len()]),
    }))
}

#[wasm_bindgen]
extern "C" {
    /// Reads the host's values.
    pub type Host;

    /// Returns `messages[index]`; values watched from now on belong to it.
    #[wasm_bindgen(method)]
    pub fn message(this: &Host, messages: &JsValue, index: u32) -> JsValue;
    /// Returns `messages[index]` without watching it.
    #[wasm_bindgen(method)]
    pub fn peek(this: &Host, messages: &JsValue, index: u32) -> JsValue;
    /// Forgets the watched values of the messages from `len` on.
    #[wasm_bindgen(method)]
    pub fn forget(this: &Host, len: u32);

    #[wasm_bindgen(method)]
    fn field(this: &Host, holder: &JsValue, key: u32, watch: bool) -> JsValue;
    #[wasm_bindgen(method, js_name = hasAny)]
    fn has_any(this: &Host, holder: &JsValue, first: u32, last: u32) -> bool;
    #[wasm_bindgen(method)]
    fn item(this: &Host, list: &JsValue, index: u32, watch: bool) -> JsValue;
    #[wasm_bindgen(method)]
    fn len(this: &Host, list: &JsValue, watch: bool) -> u32;
    #[wasm_bindgen(method, js_name = fieldCount)]
    fn field_count(this: &Host, value: &JsValue) -> u32;
    #[wasm_bindgen(method)]
    fn returned(this: &Host, holder: &JsValue, key: u32) -> JsValue;
    #[wasm_bindgen(method)]
    fn kind(this: &Host, value: &JsValue) -> u32;
    #[wasm_bindgen(method)]
    fn word(this: &Host, value: &JsValue) -> i32;
    #[wasm_bindgen(method, js_name = isBlank)]
    fn is_blank(this: &Host, value: &JsValue) -> bool;
    #[wasm_bindgen(method, js_name = isStub)]
    fn is_stub(this: &Host, value: &JsValue) -> bool;
    #[wasm_bindgen(method, js_name = openText)]
    fn open_text(this: &Host, value: &JsValue) -> f64;
    #[wasm_bindgen(method, js_name = openJson)]
    fn open_json(this: &Host, value: &JsValue) -> f64;
    /// Writes the next piece of the opened text. Returns its bytes, as a negative number if more follow.
    #[wasm_bindgen(method)]
    fn fill(this: &Host) -> i32;
}

/// A value of the host.
pub struct HostValue<'h> {
    host: &'h Host,
    value: JsValue,
    watch: bool,
}

impl<'h> HostValue<'h> {
    /// Creates a value whose mutable fields are recorded when they are read.
    pub fn watched(host: &'h Host, value: JsValue) -> Self {
        Self { host, value, watch: true }
    }

    /// Creates a value without recording.
    pub fn peeked(host: &'h Host, value: JsValue) -> Self {
        Self { host, value, watch: false }
    }

    fn with(&self, value: JsValue) -> Self {
        Self { host: self.host, value, watch: self.watch }
    }

    fn drain(&self, sink: &mut dyn FnMut(&[u8])) {
        loop {
            // The buffer must not be borrowed while the host writes to it.
            let filled = self.host.fill();
            let bytes = filled.unsigned_abs() as usize;
            SCRATCH.with_borrow(|scratch| sink(&scratch[..bytes.min(scratch.len())]));
            if filled >= 0 {
                return;
            }
        }
    }
}

impl Value for HostValue<'_> {
    fn kind(&self) -> Kind {
        let number = self.host.kind(&self.value);
        let kind = Kind::ALL.iter().find(|kind| **kind as u32 == number);
        kind.copied().unwrap_or(Kind::Scalar)
    }

    fn field(&self, key: Key) -> Self {
        self.with(self.host.field(&self.value, key as u32, false))
    }

    fn has_any(&self, keys: RangeInclusive<Key>) -> bool {
        self.host.has_any(&self.value, *keys.start() as u32, *keys.end() as u32)
    }

    fn watched(&self, key: Key) -> Self {
        self.with(self.host.field(&self.value, key as u32, self.watch))
    }

    fn unwatched(&self) -> Self {
        Self::peeked(self.host, self.value.clone())
    }

    fn item(&self, index: usize) -> Self {
        self.with(self.host.item(&self.value, index as u32, self.watch))
    }

    fn len(&self) -> usize {
        self.host.len(&self.value, self.watch) as usize
    }

    fn field_count(&self) -> usize {
        self.host.field_count(&self.value) as usize
    }

    fn returned(&self, method: Key) -> Option<Self> {
        let value = self.host.returned(&self.value, method as u32);
        (!value.is_undefined()).then(|| self.with(value))
    }

    fn word(&self) -> Option<Word> {
        let number = usize::try_from(self.host.word(&self.value)).ok()?;
        Word::ALL.get(number).copied()
    }

    fn is_true(&self) -> bool {
        self.value == JsValue::TRUE
    }

    fn is_blank(&self) -> bool {
        self.host.is_blank(&self.value)
    }

    fn is_stub(&self) -> bool {
        self.host.is_stub(&self.value)
    }

    fn read_text(&self, sink: &mut dyn FnMut(&[u8])) -> u64 {
        let utf16 = self.host.open_text(&self.value);
        if utf16 > 0.0 {
            self.drain(sink);
        }
        utf16 as u64
    }

    fn read_json(&self, sink: &mut dyn FnMut(&[u8])) -> u64 {
        let utf16 = self.host.open_json(&self.value);
        if utf16 > 0.0 {
            self.drain(sink);
        }
        utf16 as u64
    }
}
