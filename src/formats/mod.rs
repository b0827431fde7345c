//! Wire formats. A format says whether a message is its own, reads it into facts, knows where things stand in it, and what
//! its provider refuses: a folder for each, and a line in [`registry`]. It knows no passes.

mod ai_sdk_parts;
mod detect;
mod ephemeral_mark;
mod foreign;
mod neutral;
mod parts;
mod places;
mod reader;
mod registry;
pub mod repair;
mod slot;
mod wire;

pub use detect::{check_is_message, detect, misshapen};
pub use neutral::read_block;
pub use places::{Places, Step};
pub use reader::{Extended, Messages, ReadHistory};
pub use registry::Format;
pub use slot::Slot;
pub use wire::OtherShape;
