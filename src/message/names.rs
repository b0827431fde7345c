//! Tool names and paths, each kept once.

use std::collections::HashMap;
use std::rc::Rc;

/// A name's number in its [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameId(u32);

impl NameId {
    /// The first one.
    #[cfg(test)]
    pub(super) const FIRST: Self = Self(0);

    /// As an index of tables that run beside the names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Strings by number. A name stays for the life of the history: there are few, and truncation keeps them valid.
#[derive(Debug, Default)]
pub struct Names {
    texts: Vec<Rc<str>>,
    ids: HashMap<Rc<str>, NameId>,
}

impl FromIterator<String> for Names {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        let mut names = Self::default();
        for text in texts {
            names.intern(&text);
        }
        names
    }
}

impl Names {
    /// The number of this name, new or known.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = NameId(self.texts.len() as u32);
        let shared: Rc<str> = text.into();
        self.texts.push(Rc::clone(&shared));
        self.ids.insert(shared, id);
        id
    }

    /// The number of a name that is known.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.ids.get(text).copied()
    }

    /// The name with this number.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id.index()).map_or("", |text| text)
    }

    /// All names, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
