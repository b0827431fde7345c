//! Policies are passed as JSON text, once, and kept compiled.

use super::problem_value;
use crate::projection::Policy;
use wasm_bindgen::prelude::*;

/// A policy that was parsed and checked.
#[wasm_bindgen]
pub struct CompiledPolicy {
    policy: Policy,
    serial: u32,
}

#[wasm_bindgen]
impl CompiledPolicy {
    /// Parses a policy's JSON. `serial` identifies its stubs among those of other policies and must be below 2^27.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str, serial: u32) -> Result<CompiledPolicy, JsValue> {
        let policy = Policy::from_json(json).map_err(|problem| problem_value(&problem))?;
        Ok(CompiledPolicy { policy, serial })
    }

    /// Returns the maximum tokens of a view, if there is a budget.
    #[wasm_bindgen(js_name = maxTokens)]
    pub fn max_tokens(&self) -> Option<u32> {
        self.policy.budget.settings().map(|budget| budget.max_tokens)
    }

    /// Returns the number of tokens from which views get a warning, if there is one.
    #[wasm_bindgen(js_name = warnAt)]
    pub fn warn_at(&self) -> Option<f64> {
        self.policy.warn.settings().map(|warn| warn.at * f64::from(self.policy.window))
    }

    /// Returns the size of the model's context window, in tokens.
    pub fn window(&self) -> u32 {
        self.policy.window
    }
}

impl CompiledPolicy {
    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns its serial number.
    pub fn serial(&self) -> u32 {
        self.serial
    }
}
