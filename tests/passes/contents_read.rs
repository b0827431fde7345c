//! How often contents are read by the views of one session.

use super::retries::calls;
use super::session::{policy, session};
use crate::support::view::{Read, read};
use serde_json::{Value as Json, json};
use std::cell::Cell;
use trimtab::message::Block;
use trimtab::projection::{Cache, ContentReader, Request, project};

/// Every batch is worth its rewrite, and no result is missed.
const RETIRED: &str = r#"{"retire":{"missing":0,"rewriteCost":0,"mostLoss":100}}"#;

/// Content reader that counts its reads.
struct Counted<'a> {
    read: Read<'a>,
    results: Cell<usize>,
    arguments: Cell<usize>,
}

impl ContentReader for Counted<'_> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.results.set(self.results.get() + 1);
        self.read.contents().read_result(block, sink);
    }

    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.results.set(self.results.get() + 1);
        self.read.contents().read_whole(block, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.arguments.set(self.arguments.get() + 1);
        self.read.contents().read_arguments(block, sink);
    }
}

/// Number of results and of arguments that each view reads, with one shared cache.
fn reads(messages: &[Json], policies: &[&str]) -> Vec<(usize, usize)> {
    let mut cache = Cache::default();
    let counted = |json: &&str| {
        let source =
            Counted { read: read(messages), results: Cell::new(0), arguments: Cell::new(0) };
        let (history, policy) = (&source.read.history, policy(json));
        let request = Request {
            policy: &policy,
            current_step: history.steps(),
            decided: &[],
            idle: 0.0,
            sent: None,
        };
        project(history, request, &source, &mut cache);
        (source.results.get(), source.arguments.get())
    };
    policies.iter().map(counted).collect()
}

/// Number of arguments that each of three views reads, with one shared cache.
fn reads_of_arguments(messages: &[Json], policy: &str) -> [usize; 3] {
    let reads = reads(messages, &[policy; 3]);
    std::array::from_fn(|view| reads[view].1)
}

#[test]
fn contents_are_read_once() {
    let session = session("b:1=x b:2=x b:3 w:a<300 b:4");
    let age = r#"{"age":{"maxToolOutputAge":0}}"#;
    let recall = r#"{"age":{"maxToolOutputAge":0},"recall":true}"#;
    let summaries = r#"{"age":{"maxToolOutputAge":0,"summarizeOnTruncate":true}}"#;
    let clip = r#"{"clip":{"max":600}}"#;
    // Plain stubs read no content; references and summaries read each result once.
    assert_eq!(
        reads(&session.messages, &[age, recall, recall, age, recall]),
        [(0, 0), (4, 0), (0, 0), (0, 0), (0, 0)]
    );
    assert_eq!(
        reads(&session.messages, &[summaries, summaries, clip, clip]),
        [(4, 0), (0, 0), (4, 0), (0, 0)]
    );
    // Only results of the same size and checksum are compared: the two with equal content.
    let dedupe = r#"{"dedupe":true}"#;
    assert_eq!(reads(&session.messages, &[dedupe, dedupe]), [(2, 0), (0, 0)]);
    let inputs = r#"{"inputs":{"after":0}}"#;
    assert_eq!(reads(&session.messages, &[inputs, inputs]), [(0, 1), (0, 0)]);
}

#[test]
fn each_call_is_compared_once_whatever_failed() {
    let run = |i: usize| ("bash", json!({"command": format!("make {i}")}));
    let messages: Vec<Json> = (0..200).flat_map(|i| calls(&[run(i)]).messages).collect();
    assert_eq!(reads_of_arguments(&messages, RETIRED), [200, 0, 0]);
    // Commands before the first failure cannot retry it.
    let words = |failed: &str| format!("b:1 b:2 b:3{failed} b:4 b:5");
    assert_eq!(reads_of_arguments(&session(&words("")).messages, RETIRED), [0, 0, 0]);
    assert_eq!(reads_of_arguments(&session(&words("!")).messages, RETIRED), [3, 0, 0]);
}

/// For each old edit, a note that names several, and shorter texts beside it.
#[test]
fn the_arguments_of_edits_without_a_note_are_read_once() {
    let session = session(&["e:a<90"; 40].join(" "));
    for policy in [r#"{"edits":true}"#, r#"{"edits":true,"clearAtLeast":100000}"#] {
        let [first, second, third] = reads_of_arguments(&session.messages, policy);
        assert!(first >= 30, "{first} reads of 40 edits");
        assert_eq!([second, third], [0, 0]);
    }
}

/// An edit's arguments may be shortened in two ways, and each is weighed at every step.
#[test]
fn the_arguments_of_edits_that_stay_are_read_once() {
    let session = session(&["e:a r:a"; 40].join(" "));
    let [first, second, third] = reads_of_arguments(&session.messages, RETIRED);
    assert!(first >= 40, "{first} reads of 40 edits");
    assert_eq!([second, third], [0, 0]);
}
