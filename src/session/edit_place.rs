//! Where the host makes an edit.

use crate::formats::{Places, Slot, Step};
use crate::message::History;
use crate::projection::{Part, PlannedEdit};

/// The place of an edit in its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditPlace {
    /// The way to it; empty for the whole message.
    pub way: Vec<Step>,
    /// What stands there.
    pub slot: Slot,
}

/// Where an edit is made in a message of a format.
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
