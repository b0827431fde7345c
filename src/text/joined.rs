//! Joins texts.

/// Joins texts with a separator. The standard library's `join` is unrolled for each length of a separator, which the core
/// would carry (docs/decisions/speed.md).
pub fn joined<T: AsRef<str>>(texts: &[T], separator: &str) -> String {
    let mut joined = String::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            joined += separator;
        }
        joined += text.as_ref();
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn joins_like_the_standard_library() {
        for texts in [&[][..], &[""], &["a"], &["", ""], &["a", "", "b"], &["ä", "b"]] {
            for separator in ["", ".", ", ", " | "] {
                assert_eq!(joined(texts, separator), texts.join(separator));
            }
        }
    }
}
