//! Edits as the numbers passed to JavaScript: they tell different texts apart and lead back to the edit.

use super::session::{policy, session};
use crate::support::view::read;
use std::collections::HashMap;
use trimtab::projection::{Ask, Engine, PlannedEdit, Policy};

fn planned(engine: &mut Engine, words: &str, policy: &Policy) -> Vec<PlannedEdit> {
    let session = session(words);
    let read = read(&session.messages);
    let ask = Ask { policy, step: None, sticky: true, idle: 0.0, prefix: 0 };
    engine.project(&read.history, ask, &read.contents());
    engine.plan().edits().to_vec()
}

#[test]
fn they_lead_back_to_the_edits() {
    for (words, json) in [
        ("b:1 b:2", r#"{"age":{"maxToolOutputAge":0}}"#),
        ("b:1#9000 b:2", r#"{"summarize":{"after":0}}"#),
        ("r:a@1-5 e:a r:a@7-9", r#"{"reads":{"superseded":"clear"}}"#),
        ("r:a r:a r:a", r#"{"reads":true}"#),
        ("r:a r:a", r#"{"reads":{"superseded":"clear"}}"#),
        ("b:1", r#"{"clip":{"max":100,"head":10,"tail":10}}"#),
        ("b:1=x b:2=x", r#"{"dedupe":true}"#),
        ("w:a<201 b:1", r#"{"inputs":{"after":0}}"#),
        ("e:a<300 b:1", r#"{"inputs":{"after":0,"maxChars":100,"what":"old"}}"#),
        ("e:a<600 e:a<600 e:a<600 b:1", r#"{"edits":{"after":0}}"#),
        ("b:1* a", r#"{"ephemeral":true}"#),
        ("b:1* a", r#"{"ephemeral":{"mode":"remove"}}"#),
        ("a~ u b:2", r#"{"reasoning":"drop"}"#),
        ("b:1 b:2 b:3 b:4", r#"{"retire":{"atLeast":0,"rewriteCost":0}}"#),
        (
            "b:1<900 b:2",
            r#"{"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0},"clearToolInputs":true}}"#,
        ),
    ] {
        let (policy, mut engine) = (policy(json), Engine::default());
        let edits = planned(&mut engine, words, &policy);
        assert!(!edits.is_empty(), "{words} under {json}");
        let session = session(words);
        let read = read(&session.messages);
        let numbers = engine.plan_numbers(&read.history);
        let mut later = Engine::default();
        later.load(&read.history, &policy, &numbers, &read.contents());
        assert_eq!(later.current_step(), engine.current_step(), "{words} under {json}");
        assert_eq!(later.plan().edits(), edits, "{words} under {json}");
    }
}

/// An edit with room for a note is cut less than others. When a newer edit takes the note, the text of the block
/// changes, and its numbers change too.
#[test]
fn other_texts_have_other_numbers() {
    let policy = policy(r#"{"edits":{"after":0,"atLeast":3}}"#);
    let mut known: HashMap<[u32; 4], String> = HashMap::new();
    let mut words = vec!["e:a<60"; 8];
    for newest in ["e:a<1100", "b:1", "e:a<900", "b:2", "e:a<300", "b:3"] {
        words.push(newest);
        let session = session(&words.join(" "));
        let read = read(&session.messages);
        let mut engine = Engine::default();
        let ask = Ask { policy: &policy, step: None, sticky: false, idle: 0.0, prefix: 0 };
        engine.project(&read.history, ask, &read.contents());
        for edit in engine.plan().edits().to_vec() {
            let numbers = Engine::edit_numbers(&edit);
            let text = engine.text(&read.history, &policy, &edit, &read.contents()).unwrap();
            let before = known.entry(numbers).or_insert_with(|| text.clone());
            assert_eq!(*before, text, "{numbers:?} of {edit:?}");
            // The tokens of the edit are those of its text.
            assert_eq!(edit.tokens, trimtab::tokens::estimate_tokens(text.len() as u64));
        }
    }
}
