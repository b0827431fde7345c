//! Lists of tool names in settings.

/// Whether a list contains a tool's name, or `*` for all tools.
pub fn names_tool(list: &[String], tool: &str) -> bool {
    list.iter().any(|name| name == tool || name == "*")
}
