//! A text in quotes.

/// A text as JSON has it, in quotes. Rust's own way (`{:?}`) brings the tables of what can be printed with it, a kilobyte
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
