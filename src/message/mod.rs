//! Messages as facts: roles, blocks, sizes, and which call a result answers.

mod arguments;
mod block;
mod draft;
mod history;
mod inspection;
mod instructions;
mod media;
mod names;
mod newer_reads;
mod origin;
mod pairing;
mod problem;
mod stable_merge_sort;
mod timeline;
mod value;

pub use arguments::ToolArguments;
pub use arguments::files::FileRange;
#[cfg(test)]
pub use arguments::files::LINES;
pub use arguments::files::normal_path;
#[cfg(test)]
pub use arguments::keys::{ASIDE, FILES_KEYS, PATH_KEYS, PLAIN_WAYS, WAYS};
pub use arguments::keys::{is_aside, is_command_key, is_file_key};
pub use block::{BlockKind, BlockPath, Removable, Role};
pub use draft::{BlockDraft, CallDraft, MessageDraft, ResultDraft};
pub use history::{Block, BlockId, History, Message, ToolUse, UseId};
pub use inspection::{
    BlockFacts, FileLines, MessageFacts, TokensByKind, block_facts, message_facts,
};
pub use instructions::{has_instructions, keep_for_instructions};
pub use media::{Media, MediaKind};
pub use names::{NameId, Names};
pub use newer_reads::{Lines, NewerReads};
pub use origin::{Origin, looks_like_partial_result, origin_of};
pub use pairing::{OpenCalls, PairKey};
#[cfg(test)]
pub use problem::PROBLEM_CODES;
pub use problem::{Problem, ProblemCode, ProblemReport};
pub use stable_merge_sort::{in_order, stable_merge_sort};
pub use timeline::{FileTimeline, FileTimelines, PlainRead};
pub use value::access::{Kind, Value, read_string, text_size};
pub use value::json::JsonValue;
pub use value::words::{Key, Word};
