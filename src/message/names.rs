//! Interned tool names and paths.

use crate::text::checksum;

/// The number of a name in its [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameId(u32);

impl NameId {
    /// The first one.
    #[cfg(test)]
    pub(super) const FIRST: Self = Self(0);

    /// The index in tables that are parallel to the names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Strings by number. A name is kept for the life of the history: there are few, and numbers stay valid after a
/// truncation.
///
/// The hash table takes a few lines; the standard library's takes three kilobytes of the core.
#[derive(Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    /// The slots of the hash table, at most half of them used. A name is in the first free slot from its checksum on.
    places: Vec<Option<NameId>>,
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
    /// Returns the number of a name, and adds it if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if self.places.len() <= 2 * self.texts.len() {
            self.make_room();
        }
        let place = self.place_of(text);
        if let Some(id) = self.places[place] {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(text.into());
        self.places[place] = Some(id);
        id
    }

    /// Returns the number of a name; `None` if it is not known.
    pub fn find(&self, text: &str) -> Option<NameId> {
        if self.is_empty() { None } else { self.places[self.place_of(text)] }
    }

    /// The slot of a name, or the free slot where it would be inserted.
    fn place_of(&self, text: &str) -> usize {
        let mut place = checksum(text.as_bytes()) as usize % self.places.len();
        while self.places[place].is_some_and(|id| self.text(id) != text) {
            place = (place + 1) % self.places.len();
        }
        place
    }

    fn make_room(&mut self) {
        self.places = vec![None; 4 * (self.texts.len() + 1)];
        for (i, text) in self.texts.iter().enumerate() {
            let place = self.place_of(text);
            self.places[place] = Some(NameId(i as u32));
        }
    }

    /// The name with this number.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id.index()).map_or("", |text| text)
    }

    /// All names, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn every_name_has_one_number() {
        let texts: Vec<String> = (0..1000).map(|i| format!("src/{i}.ts")).collect();
        let mut names: Names = texts.iter().cloned().collect();
        assert_eq!(names.len(), texts.len());
        for (i, text) in texts.iter().enumerate() {
            let id = names.find(text);
            assert_eq!(id.map(|id| (id.index(), names.text(id))), Some((i, text.as_str())));
            assert_eq!(Some(names.intern(text)), id);
        }
        assert_eq!(names.find("src/1000.ts"), None);
        assert_eq!(Names::default().find(""), None);
    }
}
