//! Definitions of Rust where its grammar knows none: in `extern` blocks and in macros.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;
use trimtab_outline::{Budget, outline};

#[test]
fn types_in_extern_blocks_of_rust() {
    let content = "
extern \"C\" {
    pub type Opaque;
    pub fn open(path: *const u8) -> *mut Opaque;
    static ERRNO: i32;
}
";
    check("rust", content, &["type Opaque", "function open", "variable ERRNO"]);
}

#[test]
fn macros_of_rust_without_items_hold_none() {
    let blocks = [
        "bitflags! { pub struct A: u8 { const B = 1; } }",
        "html! { <a>{ fn b() {} }</a> }",
        "c! { fn a() {} b = c; }",
        "c! { fn a() {} let b = 1; }",
        "c! { fn a(b: C) in d {} }",
        "c! {}",
        "macro_rules! macro_a { () => { fn b() {} } }",
        "fn macro_a() { quote! { pub struct B; } }",
        "const macro_a: B = c! { struct D; };",
    ];
    for block in blocks {
        let content = format!("{block}\nfn macro_a() {{}}\n");
        let found = outline("rust", &content, Budget::default());
        let is_as_before = found.as_ref().is_ok_and(|found| {
            !found.malformed && found.sections.iter().all(|section| section.name == "macro_a")
        });
        assert!(is_as_before, "{block}: {found:#?}");
    }
}
