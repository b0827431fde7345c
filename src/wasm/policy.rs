//! Policies are passed as JSON text, once, and kept compiled.

use super::problem_value;
use crate::projection::Policy;
use wasm_bindgen::prelude::*;

/// A policy that was parsed and checked.
#[wasm_bindgen]
pub struct CompiledPolicy {
    policy: Policy,
}

#[wasm_bindgen]
impl CompiledPolicy {
    /// Parses a policy's JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str) -> Result<CompiledPolicy, JsValue> {
        let policy = Policy::from_json(json).map_err(|problem| problem_value(&problem))?;
        Ok(CompiledPolicy { policy })
    }

    /// Returns the size of the model's context window, the number of tokens from which views get a warning (the largest
    /// number for none), and, if there is a budget, the maximum tokens of a view.
    pub fn limits(&self) -> Vec<u32> {
        let Policy { budget, warn, window, .. } = &self.policy;
        let warn_at = warn.settings().map(|warn| (warn.at * f64::from(*window)).ceil() as u32);
        let mut limits = vec![*window, warn_at.unwrap_or(u32::MAX)];
        limits.extend(budget.settings().map(|budget| budget.max_tokens));
        limits
    }
}

impl CompiledPolicy {
    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
}
