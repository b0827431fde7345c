//! The position of an edit in the host's messages.

use crate::formats::{Places, Slot, Step};
use crate::message::History;
use crate::projection::{Part, PlannedEdit};

/// The position of an edit in its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPlace {
    /// The path to it; empty for the whole message.
    pub way: Vec<Step>,
    /// The form of the content at that path.
    pub slot: Slot,
}

/// Returns the position of an edit in a message of a format.
pub fn place_of_edit(places: &Places, history: &History, edit: &PlannedEdit) -> EditPlace {
    let place = history[edit.block].place;
    match edit.replacement.kind().part() {
        Part::Block => EditPlace { way: places.block_path(place), slot: places.entry_slot },
        Part::Arguments => EditPlace { way: places.arguments_path(place), slot: Slot::Arguments },
        Part::Content => {
            EditPlace { way: places.content_path(place), slot: places.content_slot(place) }
        }
    }
}
