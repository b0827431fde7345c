//! Names of tools in settings.

/// Whether a list contains a tool's name, or the beginning of it and `*`.
pub fn names_tool(list: &[String], tool: &str) -> bool {
    list.iter().any(|name| is_tool(name, tool))
}

/// Whether this is a tool's name, or the beginning of it and `*`.
pub fn is_tool(name: &str, tool: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => tool.starts_with(start),
        None => name == tool,
    }
}
