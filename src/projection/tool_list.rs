//! Lists of tools in settings.

/// Whether a list names a tool: by its name, or all by `*`.
pub fn names_tool(list: &[String], tool: &str) -> bool {
    list.iter().any(|name| name == tool || name == "*")
}
