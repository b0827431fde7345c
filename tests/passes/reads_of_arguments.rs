//! How often the arguments of calls are read by the views of one session.

use super::retire::calls;
use super::session::{policy, session};
use crate::support::view::read;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use trimtab::message::Block;
use trimtab::projection::{Cache, ContentReader, Policy, Request, project};

const POLICY: &str = r#"{"retire":{"missing":0,"rewriteCost":0,"mostLoss":100}}"#;

struct Counting<'a>(&'a dyn ContentReader, Cell<usize>);

impl ContentReader for Counting<'_> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.0.read_result(block, sink);
    }

    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.0.read_whole(block, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.1.set(self.1.get() + 1);
        self.0.read_arguments(block, sink);
    }
}

/// How often three views with one cache read the arguments of calls, each.
fn reads_of_arguments(messages: &[Json], policy: &Policy) -> [usize; 3] {
    let read = read(messages);
    let contents = read.contents();
    let reader = Counting(&contents, Cell::new(0));
    let mut cache = Cache::default();
    std::array::from_fn(|_| {
        reader.1.set(0);
        let request = Request {
            policy,
            current_step: read.history.steps(),
            decided: &[],
            idle: 0.0,
            sent: None,
        };
        project(&read.history, request, &reader, &mut cache);
        reader.1.get()
    })
}

#[test]
fn each_call_is_compared_once_whatever_failed() {
    let run = |i: usize| ("bash", json!({"command": format!("make {i}")}));
    let messages: Vec<Json> = (0..200).flat_map(|i| calls(&[run(i)]).messages).collect();
    assert_eq!(reads_of_arguments(&messages, &policy(POLICY)), [200, 0, 0]);
}

/// For each old edit, a note that names several, and shorter texts beside it.
#[test]
fn the_arguments_of_edits_without_a_note_are_read_once() {
    let session = session(&["e:a<90"; 40].join(" "));
    for policy in [r#"{"edits":true}"#, r#"{"edits":true,"clearAtLeast":100000}"#] {
        let [first, second, third] = reads_of_arguments(&session.messages, &self::policy(policy));
        assert!(first >= 30, "{first} reads of 40 edits");
        assert_eq!([second, third], [0, 0]);
    }
}

/// An edit's arguments may be shortened in two ways, and each is weighed at every step.
#[test]
fn the_arguments_of_edits_that_stay_are_read_once() {
    let session = session(&["e:a r:a"; 40].join(" "));
    let policy = policy(POLICY);
    let [first, second, third] = reads_of_arguments(&session.messages, &policy);
    assert!(first >= 40, "{first} reads of 40 edits");
    assert_eq!([second, third], [0, 0]);
}
