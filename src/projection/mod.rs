//! A projection decides what the model sees of a history. It makes a plan of edits from facts and a policy alone.
//!
//! Each rule is a [`Pass`] in a file of `passes`. Passes run in the order of [`ORDER`]. A later pass does not edit what
//! an earlier one has edited.

mod binding;
mod cache_cost;
mod content;
mod engine;
mod explain;
mod input_clearing;
mod ledger;
mod need;
mod passes;
mod pipeline;
mod plan;
mod policy;
mod recall;
mod registry;
mod replacement;
mod report;
mod saved_edit;
mod sent_log;
mod settings;
mod spending;
mod summary;
mod token_amount;
mod view;
mod warn;

pub use binding::{Binding, Sent, unbound};
pub use content::reader::ContentReader;
pub use engine::{Ask, EDIT_NUMBERS, Engine, PLAN_HEAD};
pub use explain::BlockReport;
pub use input_clearing::ClearInputs;
pub use ledger::Ledger;
pub use passes::pass::Pass;
pub use passes::*;
pub use pipeline::{Request, project};
pub use plan::{Plan, PlannedEdit};
pub use policy::Policy;
pub use recall::find_result;
pub use registry::{ORDER, PassName};
pub use replacement::clipped::{ClipEnds, ClipUnit};
pub use replacement::codec::Code;
pub use replacement::key_facts::key_info;
pub use replacement::kind::{ArgumentTrim, Kind, Part, Replacement, StubStyle};
pub use report::{EditReport, PassReport};
pub use saved_edit::{Finder, Found, SAVED_EDIT_NUMBERS, SavedEdit};
pub use sent_log::{SentLog, SentRequest, Span};
pub use settings::pass_setting::{PassSetting, Setting};
pub use summary::summary_text;
pub use token_amount::TokenAmount;
pub use view::cache::Cache;
pub use view::edit_text::{TextSettings, replacement_text};
pub use view::pass_view::{View, ViewSettings};
pub use view::protection::ProtectPolicy;
pub use warn::WarnPolicy;
