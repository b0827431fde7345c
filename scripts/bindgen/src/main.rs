//! Writes the JavaScript and the TypeScript declarations of a wasm file: `trimtab-bindgen INPUT.wasm NAME FOLDER` makes
//! `FOLDER/NAME.js`, `NAME.d.ts`, `NAME_bg.wasm` and `NAME_bg.wasm.d.ts`.

use std::error::Error;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

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
    Ok(bindgen.generate(folder)?)
}
