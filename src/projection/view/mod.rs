//! What a pass works on: the facts, what may go of them, and the texts made of contents before.

pub mod cache;
pub mod edit_text;
pub mod eligibility;
pub mod pass_view;
pub mod protection;
pub mod retries;
pub mod text_cache;
