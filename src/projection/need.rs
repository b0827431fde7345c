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
