//! Settings are read from JSON by name, one small table for each struct. What is wrong is said with its place.
//!
//! Serde's derived readers say what is wrong but not where, and take several times the bytes of these tables.

use crate::text::quoted;
use serde_json::{Map, Value};

/// What is wrong with a setting, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Names of fields, the outermost first; empty for the whole.
    pub path: Vec<String>,
    /// What stands there and what is allowed.
    pub reason: String,
}

impl Wrong {
    fn here(reason: String) -> Self {
        Self { path: Vec::new(), reason }
    }

    pub(super) fn inside(mut self, field: &str) -> Self {
        self.path.insert(0, field.to_owned());
        self
    }
}

/// A value that is not what a setting takes.
pub fn wrong_type(found: &Value, expected: &str) -> Wrong {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(on) => format!("boolean `{on}`"),
        // The code that writes fractions stays out of the core.
        Value::Number(number) => {
            number.as_i64().map_or("a number".to_owned(), |whole| format!("number `{whole}`"))
        }
        Value::String(text) => format!("text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Wrong::here(format!("invalid type: {found}, expected {expected}"))
}

/// What can be read from JSON, in the place of what it was.
pub trait Setting {
    /// Takes the value over; what is wrong leaves an unspecified setting behind.
    fn read(&mut self, value: &Value) -> Result<(), Wrong>;
}

/// A struct of settings.
pub trait Settings {
    /// The names of its fields, as JSON has them.
    fn names(&self) -> &'static [&'static str];
    /// Whether none of them may be left out.
    fn is_complete(&self) -> bool;
    /// The field of the name that stands here among them.
    fn field(&mut self, name: usize) -> Option<&mut dyn Setting>;
}

/// Reads the fields of an object.
pub fn read_fields(settings: &mut dyn Settings, value: &Value) -> Result<(), Wrong> {
    let Value::Object(fields) = value else {
        return Err(wrong_type(value, "an object of settings"));
    };
    let names = settings.names();
    for (name, value) in fields {
        let known = names.iter().position(|known| known == name);
        let Some(field) = known.and_then(|known| settings.field(known)) else {
            return Err(Wrong::here(unknown("field", name, names)));
        };
        field.read(value).map_err(|wrong| wrong.inside(name))?;
    }
    match missing(settings, fields) {
        Some(name) => Err(Wrong::here(format!("missing field `{name}`"))),
        None => Ok(()),
    }
}

fn missing(settings: &dyn Settings, fields: &Map<String, Value>) -> Option<&'static str> {
    let is_missing = |name: &&&str| settings.is_complete() && !fields.contains_key(**name);
    settings.names().iter().find(is_missing).copied()
}

/// Which one of several words it is.
pub fn read_word(words: &[&str], value: &Value) -> Result<usize, Wrong> {
    let found = words.iter().position(|word| value.as_str() == Some(word));
    found.ok_or_else(|| no_word(value, words))
}

fn no_word(value: &Value, names: &[&str]) -> Wrong {
    match value {
        Value::String(text) => Wrong::here(unknown("value", text, names)),
        _ => wrong_type(value, &listed(names)),
    }
}

/// An unknown name gets the nearest known one beside it.
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let text = format!("unknown {what} `{name}`, expected {}", listed(known));
    let distance =
        |other: &str| strsim::osa_distance(&other.to_ascii_lowercase(), &name.to_ascii_lowercase());
    let nearest = known.iter().map(|other| (distance(other), other)).min();
    match nearest.filter(|(distance, _)| distance * 2 <= name.len()) {
        Some((_, nearest)) => format!("{text}; did you mean `{nearest}`?"),
        None => text,
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "no fields".to_owned(),
        [only] => format!("`{only}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        _ => format!("one of `{}`", names.join("`, `")),
    }
}

impl Setting for bool {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        *self = value.as_bool().ok_or_else(|| wrong_type(value, "true or false"))?;
        Ok(())
    }
}

impl Setting for u32 {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        *self = number.ok_or_else(|| wrong_type(value, "a whole number from 0 to 4294967295"))?;
        Ok(())
    }
}

impl Setting for f64 {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        *self = value.as_f64().ok_or_else(|| wrong_type(value, "a number"))?;
        Ok(())
    }
}

impl Setting for String {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        *self = value.as_str().ok_or_else(|| wrong_type(value, "a text"))?.to_owned();
        Ok(())
    }
}

impl Setting for Vec<String> {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        let Value::Array(items) = value else { return Err(wrong_type(value, "a list of texts")) };
        self.clear();
        for (i, item) in items.iter().enumerate() {
            let mut text = String::new();
            text.read(item).map_err(|wrong| wrong.inside(&i.to_string()))?;
            self.push(text);
        }
        Ok(())
    }
}

/// `null` is no setting.
impl<T: Setting + Default> Setting for Option<T> {
    fn read(&mut self, value: &Value) -> Result<(), Wrong> {
        match value {
            Value::Null => *self = None,
            _ => self.insert(T::default()).read(value)?,
        }
        Ok(())
    }
}

/// Says by which names JSON has the fields of a struct: all of them, which the compiler checks. `complete` ones must all
/// be given.
macro_rules! settings {
    ($Type:ty { $($field:ident as $name:expr),* $(,)? }) => {
        settings!(@ $Type, false, $($field as $name),*);
    };
    (complete $Type:ty { $($field:ident as $name:expr),* $(,)? }) => {
        settings!(@ $Type, true, $($field as $name),*);
    };
    (@ $Type:ty, $complete:literal, $($field:ident as $name:expr),*) => {
        impl $crate::projection::settings::Settings for $Type {
            fn names(&self) -> &'static [&'static str] {
                &[$($name),*]
            }

            fn is_complete(&self) -> bool {
                $complete
            }

            fn field(
                &mut self,
                name: usize,
            ) -> Option<&mut dyn $crate::projection::settings::Setting> {
                // All fields are named here, so that none is forgotten.
                let Self { $($field),* } = self;
                let fields: Vec<&mut dyn $crate::projection::settings::Setting> = vec![$($field),*];
                fields.into_iter().nth(name)
            }
        }

        impl $crate::projection::settings::Setting for $Type {
            fn read(
                &mut self,
                value: &serde_json::Value,
            ) -> Result<(), $crate::projection::settings::Wrong> {
                $crate::projection::settings::read_fields(self, value)
            }
        }
    };
}

/// Says by which words JSON has the variants of an enumeration.
macro_rules! words {
    ($Type:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        impl $crate::projection::settings::Setting for $Type {
            fn read(
                &mut self,
                value: &serde_json::Value,
            ) -> Result<(), $crate::projection::settings::Wrong> {
                let word = $crate::projection::settings::read_word(&[$($word),+], value)?;
                if let Some(meant) = [$($Type::$Variant),+].get(word) {
                    *self = *meant;
                }
                Ok(())
            }
        }
    };
}
pub(in crate::projection) use {settings, words};
