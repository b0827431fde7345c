//! Tables of what each setting of each pass does: a session in a few words, a policy, and one mark for each result of
//! the view.

mod age;
mod arguments;
mod batches;
mod budget;
mod calls;
mod clear;
mod clip;
mod contents_read;
mod decisions;
mod dedupe;
mod edit_numbers;
mod engine;

mod ephemeral;
mod exclude;
mod explain;
mod lists;
mod media;

mod policies;
mod protect;
mod reads;
mod reasoning;
mod recall;
mod retire;
mod retries;
mod session;
mod summaries;
mod summarize;
