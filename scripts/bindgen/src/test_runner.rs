//! Runs a test program compiled to wasm in the browser of `CHROMEDRIVER`: cargo starts this as the target's runner.

use std::error::Error;
use wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args;

fn main() -> Result<(), Box<dyn Error>> {
    Ok(run_cli_with_args(std::env::args_os())?)
}
