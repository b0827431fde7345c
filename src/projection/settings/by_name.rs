//! Settings by the names of tools, as a JSON object.

use super::Setting;
use super::read::{Wrong, wrong_type};
use super::tool_list::is_tool;
use crate::text::json::Json;
use serde::{Serialize, Serializer};

/// Settings by the names of tools, in the order given. There are few: a list is searched as fast as a tree, and takes a tenth of the
/// code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByName<T>(Vec<(String, T)>);

impl<T> ByName<T> {
    /// The first settings whose name stands for a tool.
    pub fn get(&self, tool: &str) -> Option<&T> {
        self.0.iter().find_map(|(name, value)| is_tool(name, tool).then_some(value))
    }

    /// All settings.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<T: Setting + Default> Setting for ByName<T> {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        let Json::Object(entries) = value else { return Err(wrong_type(value, "an object")) };
        self.0.clear();
        for (name, value) in entries {
            let mut entry = T::default();
            entry.read(value).map_err(|wrong| wrong.inside(name))?;
            self.0.push((name.clone().into_owned(), entry));
        }
        Ok(())
    }
}
