//! Writes the JavaScript and the TypeScript declarations of a wasm file: `trimtab-bindgen INPUT.wasm NAME FOLDER` makes
//! `FOLDER/NAME.js`, `NAME.d.ts`, `NAME_bg.wasm` and `NAME_bg.wasm.d.ts`.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::{Bindgen, Output};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, name, folder] = arguments.as_slice() else {
        eprintln!("usage: trimtab-bindgen INPUT.wasm NAME FOLDER");
        return ExitCode::from(2);
    };
    match generate(input, name, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, name: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true);
    // ES module for browsers and Node. The caller passes the wasm file; the module does not guess its URL.
    bindgen.web(true)?.omit_default_module_path(true);
    // After a panic, the host resets the instance.
    bindgen.reset_state_function(true);
    let mut output = bindgen.generate_output()?;
    let renamed = shorten_imports(&mut output)?;
    output.emit(folder)?;
    let glue = Path::new(folder).join(format!("{name}.js"));
    let text = renamed
        .iter()
        .fold(fs::read_to_string(&glue)?, |text, (from, to)| text.replace(from.as_str(), to));
    Ok(fs::write(&glue, text)?)
}

/// Shortens the hashes in the names of the wasm file's imports and returns the old and the new names. Hashes do not compress:
/// they take 200 bytes of a compressed file. They keep apart what several versions of wasm-bindgen import, and here is one.
/// A name depends on the old one alone, so files of one version of the engine can share their JavaScript.
fn shorten_imports(output: &mut Output) -> Result<Vec<(String, String)>, String> {
    let mut taken = HashSet::new();
    let mut renamed = Vec::new();
    for import in output.wasm_mut().imports.iter_mut() {
        let short = shortened(&import.name);
        if !taken.insert(short.clone()) {
            return Err(format!("two imports have the short name {short}"));
        }
        if short != import.name {
            renamed.push((std::mem::replace(&mut import.name, short.clone()), short));
        }
    }
    Ok(renamed)
}

/// `__wbg_length_0123456789abcdef` is `__wbg_length_ef`; other names stay.
fn shortened(name: &str) -> String {
    match name.rsplit_once('_') {
        Some((stem, hash))
            if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            format!("{stem}_{}", &hash[14..])
        }
        _ => name.to_owned(),
    }
}
