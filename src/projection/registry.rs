//! The list of passes. To add a pass, add a line here, a place in [`ORDER`], and a file in `passes`.

use serde::Serialize;

/// Passes the list to a macro that declares something for each pass: its code, which saved states contain and which is
/// never reused; its name; its field in the policy; its file; the type of its settings; and the doc comment of the
/// field.
macro_rules! with_passes {
    ($declare:ident) => {
        $declare! {
            0 Reasoning reasoning reasoning: Option<ReasoningMode>, " What happens to the model's reasoning. Default `keep`.";
            1 Ephemeral ephemeral ephemeral: PassSetting<EphemeralPolicy>, " Removes content that the host marked as ephemeral.";
            2 Clear clear clear: PassSetting<ClearPolicy>, " Clears the oldest tool results when the context is too large.";
            3 Age age age: PassSetting<AgePolicy>, " Rolling context: clears tool results that are too old.";
            4 Reads reads reads: PassSetting<ReadsPolicy>, " Keeps the first, the last and some other reads of the same lines.";
            5 Lists lists lists: PassSetting<ListsPolicy>, " Keeps only the newest directory listings.";
            6 Summarize summarize summarize_output: PassSetting<SummarizePolicy>, " Replaces old command output by a summary made without a model.";
            7 Clip clip clip: PassSetting<ClipPolicy>, " Keeps the head and tail of long shell output.";
            8 Dedupe dedupe dedupe: PassSetting<DedupePolicy>, " Replaces a result that repeats a fully visible earlier one with a pointer to it.";
            9 Edits edits compress_edits: PassSetting<EditsPolicy>, " Replaces many old edits of one file with a note in the newest.";
            10 Inputs inputs trim_arguments: PassSetting<InputsPolicy>, " Cuts long arguments of old calls to their beginning.";
            11 Budget budget budget: PassSetting<BudgetPolicy>, " Clears the oldest remaining results until the view fits into a token budget.";
            12 Retire retire retire: PassSetting<RetirePolicy>, " Clears results that are no longer needed, in batches that pay for the rewrite of the prompt cache. Needs a `Context` or `state`.";
            13 Exclude exclude exclude: Option<ExcludedCalls>, " Ids of calls that are left out of every view, each with its result. A call that is removed from the list comes back. Default none.";
        }
    };
}
pub(super) use with_passes;

macro_rules! declare_names {
    ($($code:literal $Name:ident $field:ident $file:ident: $settings:ty, $doc:tt;)+) => {
        /// A pass, by the name of its field in the policy.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(
            all(test, not(target_arch = "wasm32")),
            derive(ts_rs::TS),
            ts(export, export_to = "types.ts")
        )]
        #[serde(rename_all = "lowercase")]
        #[repr(u8)]
        pub enum PassName {
            $(#[doc = $doc] $Name = $code,)+
        }

        impl PassName {
            /// All passes, in the order of the list.
            pub const ALL: &[PassName] = &[$(PassName::$Name,)+];

            /// The number of the pass in saved states and in edits passed across the boundary.
            pub fn code(self) -> u32 {
                self as u32
            }

            /// The pass with this number.
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(PassName::$Name),)+
                    _ => None,
                }
            }
        }
    };
}
with_passes!(declare_names);

/// The order in which passes run. A later pass does not edit what an earlier one has edited.
///
/// Excluded calls come first, then reasoning and ephemeral content, which no view may contain; then clearing by size,
/// by age, of retired results, and for the budget if the view does not fit; then repeated reads and listings; then
/// summaries and clipping of the results that are kept; then duplicates, which are searched only among results that are
/// still shown in full. Calls come last: the facts that the engine reads from a call (files, lines) stay the same
/// however it is cut, and earlier passes use nothing else.
pub const ORDER: &[PassName] = &[
    PassName::Exclude,
    PassName::Reasoning,
    PassName::Ephemeral,
    PassName::Clear,
    PassName::Age,
    PassName::Retire,
    PassName::Budget,
    PassName::Reads,
    PassName::Lists,
    PassName::Summarize,
    PassName::Clip,
    PassName::Dedupe,
    PassName::Edits,
    PassName::Inputs,
];
