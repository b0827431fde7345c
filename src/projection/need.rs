//! How likely it is that a later request needs a result again, by what is known from calls alone.
//!
//! The chances are those of real coding sessions: how often an edit or a call relied on a read, or a command that had failed
//! was run again, so many requests after it was shown. They fall quickly at first, and hardly any more later: models work on
//! a file for a while, or come back to it much later. docs/decisions/cache-aware-policy.md has the counts.

/// The chance that a result is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// By the next request.
    pub next: f64,
    /// By any later one.
    pub ever: f64,
}

impl Need {
    /// Output that the model has seen: nothing leans on it.
    pub const NONE: Need = Need { next: 0.0, ever: 0.0 };

    /// A read that a newer one or a write overtook.
    pub const OVERTAKEN: Need = Need { next: 0.0, ever: 0.03 };

    /// A read, so many requests after it was shown or a call last named its file.
    pub fn of_read(idle: u32, was_changed: bool) -> Self {
        let idle = f64::from(idle);
        let square = |x: f64| x * x;
        if was_changed {
            Need { next: 0.25 / square(idle) + 0.001, ever: 0.25 / (1.0 + idle / 30.0) + 0.08 }
        } else {
            // What was read to be changed is so within some 10 requests.
            Need {
                next: 0.08 / (1.0 + square(idle / 10.0)) + 0.001,
                ever: 0.35 / (1.0 + square(idle / 20.0)) + 0.13,
            }
        }
    }

    /// A failure, so many requests after it was shown.
    pub fn of_failure(age: u32) -> Self {
        if age <= 3 { Need { next: 0.1, ever: 0.25 } } else { Need { next: 0.004, ever: 0.04 } }
    }

    /// What a command printed of a file, so many requests after it was shown.
    pub fn of_print(age: u32) -> Self {
        if age <= 4 { Need { next: 0.02, ever: 0.0 } } else { Self::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::Need;

    /// In thousandths.
    fn rounded(Need { next, ever }: Need) -> [u32; 2] {
        [next, ever].map(|chance| (chance * 1000.0).round() as u32)
    }

    /// The chances fall with every request: quickly at first, and never to nothing.
    #[test]
    fn reads_are_needed_less_and_less() {
        let read = |idle| rounded(Need::of_read(idle, false));
        let changed = |idle| rounded(Need::of_read(idle, true));
        let reads = [1, 5, 10, 20, 40, 1000].map(read);
        assert_eq!(reads, [[80, 479], [65, 459], [41, 410], [17, 305], [6, 200], [1, 130]]);
        let changes = [1, 2, 5, 10, 30, 3000].map(changed);
        assert_eq!(changes, [[251, 322], [64, 314], [11, 294], [4, 268], [1, 205], [1, 82]]);
    }

    #[test]
    fn failures_and_what_was_printed_matter_for_a_few_requests() {
        let ages = |of: fn(u32) -> Need| [1, 3, 4, 5].map(|age| rounded(of(age)));
        assert_eq!(ages(Need::of_failure), [[100, 250], [100, 250], [4, 40], [4, 40]]);
        assert_eq!(ages(Need::of_print), [[20, 0], [20, 0], [20, 0], [0, 0]]);
    }
}
