//! Policies cross as JSON text, once, and are kept compiled.

use super::problem_value;
use crate::projection::Policy;
use wasm_bindgen::prelude::*;

/// A policy that was read and checked.
#[wasm_bindgen]
pub struct CompiledPolicy {
    policy: Policy,
    serial: u32,
}

#[wasm_bindgen]
impl CompiledPolicy {
    /// Reads a policy's JSON. `serial` tells its stubs from those of other policies and stays below 2^27.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str, serial: u32) -> Result<CompiledPolicy, JsValue> {
        let policy = Policy::from_json(json).map_err(|problem| problem_value(&problem))?;
        Ok(CompiledPolicy { policy, serial })
    }

    /// The most tokens of a view, where there is a budget.
    #[wasm_bindgen(js_name = maxTokens)]
    pub fn max_tokens(&self) -> Option<u32> {
        self.policy.budget.settings().map(|budget| budget.max_tokens)
    }

    /// The tokens from which a view is warned of, where that is asked for.
    #[wasm_bindgen(js_name = warnAt)]
    pub fn warn_at(&self) -> Option<f64> {
        self.policy.warn.settings().map(|warn| warn.at * f64::from(self.policy.window))
    }

    /// The size of the model's window, in tokens.
    pub fn window(&self) -> u32 {
        self.policy.window
    }
}

impl CompiledPolicy {
    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Its number.
    pub fn serial(&self) -> u32 {
        self.serial
    }
}
