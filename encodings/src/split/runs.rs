//! Scans runs of ASCII, eight bytes at a time. The end of a word is unpredictable, so scanning byte by byte costs one
//! branch misprediction per word.

const EACH: u64 = 0x0101_0101_0101_0101;
const TOP: u64 = 0x8080_8080_8080_8080;

/// Returns the end of the run of ASCII bytes from `LOW` to `HIGH` that begins at `at`.
#[inline(always)]
pub fn run_of<const LOW: u8, const HIGH: u8>(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let others = outside::<LOW, HIGH>(u64::from_le_bytes(*bytes));
        if others != 0 {
            return at + (others.trailing_zeros() / u8::BITS) as usize;
        }
        at += size_of::<u64>();
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !(LOW..=HIGH).contains(byte)).unwrap_or(rest.len())
}

/// Returns the top bit of each byte that is not from `LOW` to `HIGH`. No sum carries over, because each has seven bits.
#[inline(always)]
fn outside<const LOW: u8, const HIGH: u8>(word: u64) -> u64 {
    let low_bits = word & !TOP;
    let reaches = low_bits + EACH * (0x80 - LOW as u64);
    let exceeds = low_bits + EACH * (0x7f - HIGH as u64);
    (!reaches | exceeds | word) & TOP
}

#[cfg(test)]
mod tests {
    use super::run_of;

    #[test]
    fn runs_end_where_the_first_other_byte_is() {
        for length in 0..20 {
            for other in 0..=u8::MAX {
                let mut text = vec![b'a'; length];
                text.push(other);
                text.extend([b'z'; 9]);
                let end = if other.is_ascii_lowercase() { text.len() } else { length };
                assert_eq!(run_of::<b'a', b'z'>(&text, 0), end, "{length} {other}");
                let end = if other.is_ascii_lowercase() { length + 1 } else { length };
                let short = text.get(..=length).unwrap_or_default();
                assert_eq!(run_of::<b'a', b'z'>(short, 0), end, "{length} {other}");
            }
        }
        assert_eq!(run_of::<b' ', b' '>(b"  x", 3), 3);
    }
}
