//! The passes, one file each: its settings, its rule, and the reasons for its edits. `super::registry` lists them.

pub mod pass;

use super::registry::with_passes;

macro_rules! declare_files {
    ($($code:literal $Name:ident $field:ident $file:ident: $settings:ty, $doc:tt;)+) => {
        $(
            mod $file;
            pub use $file::*;
        )+
    };
}
with_passes!(declare_files);
