//! The probability that a later request needs a result again, derived from the calls alone.
//!
//! It was measured on real coding sessions: how often an edit or a call relied on a read, or a failed command was run
//! again, by the number of requests since the result was shown. The probability falls quickly at first and hardly
//! later: models work on a file for a while, or come back to it much later. docs/decisions/cache-aware-policy.md has
//! the counts.

#[cfg(feature = "fitting")]
use crate::projection::settings::{Setting, Wrong, wrong_type};
#[cfg(feature = "fitting")]
use crate::text::json::{Json, entries, number};

/// What is known about a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Output that the model has seen and nothing depends on.
    Seen,
    /// A read of files that no call tried to change.
    Read,
    /// A read of a file that a call tried to change, or the text of a written file.
    Changed,
    /// A read that a newer read or a write supersedes.
    Overtaken,
    /// A failure.
    Failure,
    /// The content of a file, printed by a command.
    Print,
}

/// The probability that a result is needed, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// By the next request.
    pub next: f64,
    /// By any later one.
    pub ever: f64,
}

impl Need {
    /// The need for a result on which nothing depends.
    pub const NONE: Need = Need { next: 0.0, ever: 0.0 };

    /// The need for a result, `requests` requests after it was shown or a call last named its file.
    pub fn of(known: Known, requests: u32) -> Self {
        let idle = f64::from(requests);
        let square = |x: f64| x * x;
        match known {
            // A file that is read to be changed is changed within about 10 requests.
            Known::Read => Need {
                next: 0.08 / (1.0 + square(idle / 10.0)) + 0.001,
                ever: 0.35 / (1.0 + square(idle / 20.0)) + 0.13,
            },
            Known::Changed => {
                Need { next: 0.25 / square(idle) + 0.001, ever: 0.25 / (1.0 + idle / 60.0) + 0.08 }
            }
            Known::Overtaken => Need { next: 0.0, ever: 0.03 },
            Known::Failure if requests <= 3 => Need { next: 0.1, ever: 0.25 },
            Known::Failure => Need { next: 0.004, ever: 0.04 },
            Known::Print if requests <= 4 => Need { next: 0.02, ever: 0.0 },
            Known::Print | Known::Seen => Self::NONE,
        }
    }
}

/// Factors for the probabilities: those of some sessions relative to those of all.
#[cfg(feature = "fitting")]
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Scales([[f64; 2]; 6]);

#[cfg(feature = "fitting")]
impl Scales {
    /// Scales the probabilities of a kind of result.
    pub fn apply(&self, known: Known, need: Need) -> Need {
        let [next, ever] = self.0[known as usize];
        Need { next: need.next * next, ever: need.ever * ever }
    }
}

#[cfg(feature = "fitting")]
impl Default for Scales {
    fn default() -> Self {
        Self([[1.0; 2]; 6])
    }
}

/// Read from a list of 12 numbers: for each kind, the factor for the next request and the factor for any later one.
#[cfg(feature = "fitting")]
impl Setting for Scales {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        let wrong = || wrong_type(value, "a list of 12 numbers");
        let numbers = entries(value).into_iter().flatten().filter_map(number);
        let numbers: Vec<f64> = numbers.collect();
        let (pairs, _) = numbers.as_chunks::<2>();
        self.0 = pairs.try_into().map_err(|_| wrong())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Need};

    /// Both probabilities in thousandths.
    fn rounded(Need { next, ever }: Need) -> [u32; 2] {
        [next, ever].map(|chance| (chance * 1000.0).round() as u32)
    }

    /// The probabilities fall with every request, quickly at first and never to 0.
    #[test]
    fn reads_are_needed_less_and_less() {
        let read = |idle| rounded(Need::of(Known::Read, idle));
        let changed = |idle| rounded(Need::of(Known::Changed, idle));
        let reads = [1, 5, 10, 20, 40, 1000].map(read);
        assert_eq!(reads, [[80, 479], [65, 459], [41, 410], [17, 305], [6, 200], [1, 130]]);
        let changes = [1, 2, 5, 10, 30, 3000].map(changed);
        assert_eq!(changes, [[251, 326], [64, 322], [11, 311], [4, 294], [1, 247], [1, 85]]);
    }

    #[test]
    fn failures_and_what_was_printed_matter_for_a_few_requests() {
        let ages = |of: fn(u32) -> Need| [1, 3, 4, 5].map(|age| rounded(of(age)));
        assert_eq!(
            ages(|age| Need::of(Known::Failure, age)),
            [[100, 250], [100, 250], [4, 40], [4, 40]]
        );
        assert_eq!(ages(|age| Need::of(Known::Print, age)), [[20, 0], [20, 0], [20, 0], [0, 0]]);
    }
}
