//! The message of a panic reaches the host. A file of its own: the instance of this program is not used after it, as a
//! host does not use the engine's. Run in a browser by `npm test -- --only wasm`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic)] // Allowed in tests.

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
export function thrownBy(call) {
  try {
    call()
  } catch (error) {
    return String(error)
  }
}
"#)]
extern "C" {
    #[wasm_bindgen(js_name = thrownBy)]
    fn thrown_by(call: &mut dyn FnMut()) -> Option<String>;
}

#[wasm_bindgen_test]
fn the_message_of_a_panic_reaches_the_host() {
    trimtab::wasm::start();
    let message = thrown_by(&mut || panic!("a bug of the engine")).expect("an error");
    assert!(message.starts_with("Error: panicked at"), "{message}");
    assert!(message.ends_with("a bug of the engine"), "{message}");
}
