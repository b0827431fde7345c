//! Text in quotes.

/// Returns a text as a JSON string, in quotes. Rust's `{:?}` would link the tables of printable characters, a kilobyte
/// of the core.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn as_json_has_it() {
        assert_eq!(quoted("a \"b\"\n\u{1}é"), r#""a \"b\"\n\u0001é""#);
    }
}
