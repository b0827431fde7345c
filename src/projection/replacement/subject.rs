//! The subject of a result, in a few words.

use crate::message::{History, ToolUse};
use crate::text::{keep_end, keep_start};

/// Maximum bytes of paths and tool names.
const NAME_LIMIT: usize = 60;

/// The file that a result shows, with its lines, or the name of the tool.
pub fn subject(history: &History, tool_use: &ToolUse) -> String {
    let tool = history.names().text(tool_use.tool);
    match tool_use.files.as_slice() {
        [(path, lines)] => {
            let path = keep_end(history.names().text(*path), NAME_LIMIT);
            match lines {
                Some((first, u32::MAX)) => format!("{path}:{first}-"),
                Some((first, last)) => format!("{path}:{first}-{last}"),
                None => path,
            }
        }
        _ if tool.is_empty() => "tool output".to_owned(),
        _ => format!("{} output", keep_start(tool, NAME_LIMIT)),
    }
}
