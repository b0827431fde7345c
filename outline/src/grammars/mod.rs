//! Tables of the languages, one each, with what is overwritten before their parsers read it.

use crate::Problem;
use crate::grammar::Grammar;

#[cfg(feature = "bash")]
pub(crate) mod bash;
#[cfg(feature = "c")]
mod c;
#[cfg(feature = "cpp")]
mod cpp;
#[cfg(feature = "csharp")]
mod csharp;
#[cfg(feature = "css")]
mod css;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "java")]
mod java;
#[cfg(feature = "javascript")]
mod javascript;
#[cfg(feature = "json")]
mod json;
#[cfg(any(feature = "c", feature = "cpp", feature = "csharp"))]
pub(crate) mod preprocessor;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(feature = "rust")]
mod rust;
#[cfg(any(feature = "javascript", feature = "tsx", feature = "typescript"))]
mod script;
#[cfg(feature = "toml")]
mod toml;
#[cfg(any(feature = "tsx", feature = "typescript"))]
mod typescript;
#[cfg(feature = "yaml")]
mod yaml;
#[cfg(feature = "zig")]
mod zig;

/// The grammars of this build.
pub(crate) fn all() -> &'static [Grammar] {
    &[
        #[cfg(feature = "bash")]
        bash::GRAMMAR,
        #[cfg(feature = "c")]
        c::GRAMMAR,
        #[cfg(feature = "cpp")]
        cpp::GRAMMAR,
        #[cfg(feature = "csharp")]
        csharp::GRAMMAR,
        #[cfg(feature = "css")]
        css::GRAMMAR,
        #[cfg(feature = "go")]
        go::GRAMMAR,
        #[cfg(feature = "html")]
        html::GRAMMAR,
        #[cfg(feature = "java")]
        java::GRAMMAR,
        #[cfg(feature = "javascript")]
        javascript::GRAMMAR,
        #[cfg(feature = "json")]
        json::GRAMMAR,
        #[cfg(feature = "python")]
        python::GRAMMAR,
        #[cfg(feature = "ruby")]
        ruby::GRAMMAR,
        #[cfg(feature = "rust")]
        rust::GRAMMAR,
        #[cfg(feature = "toml")]
        toml::GRAMMAR,
        #[cfg(feature = "tsx")]
        typescript::WITH_JSX,
        #[cfg(feature = "typescript")]
        typescript::GRAMMAR,
        #[cfg(feature = "yaml")]
        yaml::GRAMMAR,
        #[cfg(feature = "zig")]
        zig::GRAMMAR,
    ]
}

/// Returns the grammar with this name.
pub(crate) fn named(name: &str) -> Result<&'static Grammar, Problem> {
    let found = all().iter().find(|grammar| grammar.name == name);
    found.ok_or_else(|| Problem::UnknownLanguage(name.to_owned()))
}
