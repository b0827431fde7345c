//! Wire formats. A format recognises its messages, reads them into facts, knows where their parts are, and declares the
//! rules of its provider. Each format is one folder and one line in [`registry`]. Formats do not know passes.

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
