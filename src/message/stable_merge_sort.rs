//! Sorting with little code. The standard library's sorts are large, and compiled again for each type.

/// Sorts items by key; equal items keep their order. Input of a few sorted runs takes little more time than reading it,
/// and items that are already in place at the beginning are not moved.
pub fn stable_merge_sort<T>(mut items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let falls = items.windows(2).position(|pair| key(&pair[0]) > key(&pair[1]));
    let Some(run) = falls.map(|last| last + 1) else { return items };
    let least = items[run..].iter().map(&key).min();
    let start = items[..run].partition_point(|item| Some(key(item)) <= least);
    let tail = items.split_off(start);
    let keys = in_order(tail.iter().map(key));
    let mut taken: Vec<Option<T>> = tail.into_iter().map(Some).collect();
    items.extend(keys.into_iter().filter_map(|(_, i)| taken[i].take()));
    items
}

/// Returns the keys sorted, each with its position in the input.
pub fn in_order(keys: impl Iterator<Item = u64>) -> Vec<(u64, usize)> {
    let mut keys: Vec<(u64, usize)> = keys.enumerate().map(|(i, key)| (key, i)).collect();
    merge_runs(&mut keys);
    keys
}

/// Merges adjacent sorted runs in pairs until one is left.
fn merge_runs(keys: &mut Vec<(u64, usize)>) {
    while !keys.is_sorted() {
        let mut merged = Vec::with_capacity(keys.len());
        let mut runs = keys.chunk_by(|a, b| a <= b);
        while let Some(run) = runs.next() {
            merge(run, runs.next().unwrap_or(&[]), &mut merged);
        }
        *keys = merged;
    }
}

fn merge<'k>(
    mut one: &'k [(u64, usize)],
    mut other: &'k [(u64, usize)],
    into: &mut Vec<(u64, usize)>,
) {
    while let ([first, ..], [second, ..]) = (one, other) {
        let next = if first <= second { &mut one } else { &mut other };
        into.extend(next.split_off_first());
    }
    into.extend_from_slice(one);
    into.extend_from_slice(other);
}

#[cfg(test)]
mod tests {
    use super::stable_merge_sort;

    #[test]
    fn equal_keys_stay_in_their_order() {
        let items = vec![(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        let sorted: String =
            stable_merge_sort(items, |(key, _)| *key).into_iter().map(|(_, c)| c).collect();
        assert_eq!(sorted, "dbeac");
        assert!(stable_merge_sort(Vec::<u8>::new(), |_| 0).is_empty());
    }

    #[test]
    fn any_order_comes_out_as_the_standard_library_has_it() {
        for length in 0..40_u64 {
            for factor in 1..length.max(2) {
                let items: Vec<u64> = (0..length).map(|i| i * factor % 17).collect();
                let mut expected = items.clone();
                expected.sort();
                assert_eq!(
                    stable_merge_sort(items, |item| *item),
                    expected,
                    "{length} by {factor}"
                );
            }
        }
    }
}
