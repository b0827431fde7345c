//! Sorting that costs little code: the standard library's sorts are compiled anew for each type.

/// The items in the order of their keys, equal ones as they were.
pub fn ordered<T>(items: Vec<T>, key: impl Fn(&T) -> u64) -> Vec<T> {
    let mut keys: Vec<(u64, usize)> =
        items.iter().enumerate().map(|(i, item)| (key(item), i)).collect();
    keys.sort_unstable();
    let mut taken: Vec<Option<T>> = items.into_iter().map(Some).collect();
    keys.into_iter().filter_map(|(_, i)| taken[i].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::ordered;

    #[test]
    fn equal_keys_stay_in_their_order() {
        let items = vec![(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        let sorted: String = ordered(items, |(key, _)| *key).into_iter().map(|(_, c)| c).collect();
        assert_eq!(sorted, "dbeac");
        assert!(ordered(Vec::<u8>::new(), |_| 0).is_empty());
    }
}
