//! A sorted set for lists that are short as a rule and sometimes as long as the index.

use std::collections::BTreeSet;

/// Number of items up to which they are a list.
const FEW: usize = 32;

/// A sorted set. A few items are a list, which takes least memory. Many are a tree, in which adding or removing one does
/// not move the others: a word that all files have would else make each change of the index as long as the index.
#[derive(Debug)]
pub(crate) enum Sorted<T> {
    Few(Vec<T>),
    Many(BTreeSet<T>),
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl<T: Copy + Ord> Sorted<T> {
    pub fn len(&self) -> usize {
        match self {
            Self::Few(list) => list.len(),
            Self::Many(tree) => tree.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an item that is not in the set yet.
    pub fn insert(&mut self, item: T) {
        match self {
            // Most words occur in only one file.
            Self::Few(list) if list.is_empty() => *list = vec![item],
            Self::Few(list) if list.len() < FEW => {
                list.insert(list.partition_point(|other| *other < item), item);
            }
            Self::Few(list) => *self = Self::Many(list.drain(..).chain([item]).collect()),
            Self::Many(tree) => {
                tree.insert(item);
            }
        }
    }

    /// Removes an item, if it is in the set.
    pub fn remove(&mut self, item: T) {
        match self {
            Self::Few(list) => {
                if let Ok(at) = list.binary_search(&item) {
                    list.remove(at);
                }
            }
            Self::Many(tree) => {
                tree.remove(&item);
                // Far fewer, so that a set around the limit does not change its form each time.
                if tree.len() < FEW / 4 {
                    *self = Self::Few(tree.iter().copied().collect());
                }
            }
        }
    }

    /// The items, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let (list, tree) = match self {
            Self::Few(list) => (list.as_slice(), None),
            Self::Many(tree) => (&[][..], Some(tree)),
        };
        list.iter().chain(tree.into_iter().flatten())
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::Sorted;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_is_a_set_in_order(steps in prop::collection::vec((0_u8..90, any::<bool>()), 0..400)) {
            let (mut sorted, mut expected) = (Sorted::default(), BTreeSet::new());
            for (item, is_added) in steps {
                if !is_added {
                    sorted.remove(item);
                    expected.remove(&item);
                } else if expected.insert(item) {
                    sorted.insert(item);
                }
                prop_assert!(sorted.iter().eq(expected.iter()));
                prop_assert_eq!((sorted.len(), sorted.is_empty()), (expected.len(), expected.is_empty()));
            }
        }
    }
}
