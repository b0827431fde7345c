//! What a pass works on: the facts, the rules of eligibility, and cached texts.

pub mod cache;
pub mod edit_text;
pub mod eligibility;
pub mod pass_view;
pub mod protection;
pub mod retries;
pub mod text_cache;
