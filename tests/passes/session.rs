//! Test sessions written in a few words, and the edits that a policy makes to them as marks or lines.

use crate::support::shape::results;
use crate::support::view::{Read, read, view_repeating};
use serde_json::{Value as Json, json};
use trimtab::message::{History, UseId};
use trimtab::projection::{
    Ask, BlockReport, Cache, EditReport, Engine, PassReport, Plan, PlannedEdit, Policy, Request,
    project, replacement_text,
};

/// Characters of a result, unless its word says otherwise.
const LENGTH: usize = 700;

/// A session, one word per step: `r:a.ts` reads a file, `e:` edits it, `w:` writes it, `b:` runs a command, `g:`
/// searches and `l:` lists below it, `t:` is a tool of this name without arguments; `u` is a prompt of the user, `a` a
/// final answer, `a~` one with reasoning. Calls joined by `+` are in one step. `r:a.ts@1-50` reads lines, `r:a.ts@-20`
/// the last ones, and `r:a.ts,b.ts` two files.
///
/// Marks after the name: `!` is a failure, `=x` the same content as every other `=x`, `*` an ephemeral result, `#40` a
/// result of 40 characters, `<300` texts of 300 characters in the call, `&` an image beside the text, `%` content of a
/// shape that is not edited, `?` no result, `$` a result that an earlier projection put there, `>` a view of a part of
/// the file, `~` reasoning before the calls, `^` results in reverse order.
///
/// Between words: `;` is where a view was made, whose decisions hold from then on; `|` is the step of the view.
pub struct Session {
    pub messages: Vec<Json>,
    /// Number of messages when each view was made.
    views: Vec<usize>,
    step: Option<u32>,
    /// Indexes of the tool uses whose results an earlier projection put there.
    stubs: Vec<usize>,
}

/// Marks that may follow a name.
const MARKS: [char; 12] = ['!', '=', '*', '#', '<', '&', '%', '?', '$', '~', '^', '>'];

pub fn session(words: &str) -> Session {
    let mut messages = vec![json!({"role": "user", "content": "begin"})];
    let (mut views, mut step) = (Vec::new(), None);
    let calls = words.split([' ', '+']).filter(|word| word.contains(':'));
    let stubs = calls.enumerate().filter(|(_, word)| word.contains('$')).map(|(i, _)| i).collect();
    for (number, word) in words.split(' ').enumerate() {
        match word {
            "u" => messages.push(json!({"role": "user", "content": "go on"})),
            "a" => messages.push(json!({"role": "assistant", "content": "done"})),
            "a~" => messages.push(
                json!({"role": "assistant", "content": "done", "reasoning_content": "let me think"}),
            ),
            ";" => views.push(messages.len()),
            "|" => {
                let is_step = |message: &&Json| message["role"] == "assistant";
                step = Some(messages.iter().filter(is_step).count() as u32);
            }
            calls => messages.extend(answer(calls, number)),
        }
    }
    views.push(messages.len());
    let session = Session { messages, views, step, stubs };
    // An object as content is valid only in Anthropic results; chat messages with one are refused.
    if words.contains('%') { session.in_anthropic() } else { session }
}

impl Session {
    /// A session of these messages.
    pub fn of(messages: Vec<Json>) -> Self {
        Self { views: vec![messages.len()], messages, step: None, stubs: Vec::new() }
    }

    /// The same session as Anthropic messages.
    pub fn in_anthropic(mut self) -> Self {
        let mut messages: Vec<Json> = Vec::new();
        let mut ends = Vec::new();
        for (i, message) in self.messages.iter().enumerate() {
            match message["role"].as_str() {
                Some("tool") => {
                    let result = json!({"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]});
                    let last = messages.last_mut().filter(|last| last["role"] == "user");
                    match last.and_then(|last| last["content"].as_array_mut()) {
                        Some(results) => results.push(result),
                        None => messages.push(json!({"role": "user", "content": [result]})),
                    }
                }
                Some("assistant") => messages.push(anthropic_answer(message)),
                _ => messages.push(message.clone()),
            }
            if message["metadata"].is_object() {
                let last = messages.last_mut().expect("a message");
                last["metadata"] = message["metadata"].clone();
            }
            ends.resize(i + 2, messages.len());
        }
        self.views.iter_mut().for_each(|length| *length = ends[*length]);
        self.messages = messages;
        self
    }
}

fn anthropic_answer(message: &Json) -> Json {
    let mut blocks = Vec::new();
    if let Some(thinking) = message["reasoning_content"].as_str() {
        blocks.push(json!({"type": "thinking", "thinking": thinking, "signature": "c2ln"}));
    }
    if let Some(text) = message["content"].as_str() {
        blocks.push(json!({"type": "text", "text": text}));
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let arguments = function["arguments"].as_str().expect("JSON");
        let input: Json = serde_json::from_str(arguments).expect("JSON");
        blocks.push(
            json!({"type": "tool_use", "id": call["id"], "name": function["name"], "input": input}),
        );
    }
    json!({"role": "assistant", "content": blocks})
}

fn answer(words: &str, number: usize) -> Vec<Json> {
    let calls: Vec<Call<'_>> = words.split('+').map(Call::of).collect();
    let id = |i: usize| {
        if i == 0 { format!("call_{number}") } else { format!("call_{number}_{i}") }
    };
    let written: Vec<Json> = calls.iter().enumerate().map(|(i, call)| call.json(&id(i))).collect();
    let mut message = json!({"role": "assistant", "content": null, "tool_calls": written});
    if words.contains('~') {
        message["reasoning_content"] = "let me think".into();
    }
    let answered = calls.iter().enumerate().filter(|(_, call)| !call.has('?'));
    let results = answered.map(|(i, call)| call.result(&id(i), number + 100 * i));
    let mut messages: Vec<Json> = [message].into_iter().chain(results).collect();
    if words.contains('^') {
        messages[1..].reverse();
    }
    messages
}

/// The parts of a call's word.
struct Call<'w> {
    kind: &'w str,
    name: &'w str,
    lines: Option<(u32, u32)>,
    marks: &'w str,
}

impl<'w> Call<'w> {
    fn of(word: &'w str) -> Self {
        let (kind, rest) = word.split_once(':').expect("a kind and a name");
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let (name, marks) = rest.split_at(end);
        let (name, lines) = match name.split_once('@') {
            Some((name, lines)) => (name, lines.split_once('-')),
            None => (name, None),
        };
        let number = |text: &str| if text.is_empty() { 0 } else { text.parse().unwrap() };
        let lines = lines.map(|(first, last)| (number(first), number(last)));
        Self { kind, name, lines, marks }
    }

    fn has(&self, mark: char) -> bool {
        self.marks.contains(mark)
    }

    /// The number after a mark.
    fn number(&self, mark: char) -> Option<usize> {
        let (_, rest) = self.marks.split_once(mark)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    }

    fn json(&self, id: &str) -> Json {
        let (tool, field) = match self.kind {
            "r" => ("read_file", "path"),
            "e" => ("edit_file", "path"),
            "w" => ("write_file", "path"),
            "b" => ("bash", "command"),
            "g" => ("grep", "path"),
            "l" => ("ls", "path"),
            "t" => (self.name, ""),
            other => panic!("no kind {other}"),
        };
        let mut arguments = match self.kind {
            "t" => json!({}),
            _ if self.name.contains(',') => {
                json!({"file_paths": self.name.split(',').collect::<Vec<_>>()})
            }
            _ => json!({field: self.name}),
        };
        if let Some((0, count)) = self.lines {
            arguments["offset"] = (-i64::from(count)).into();
        } else if let Some((first, last)) = self.lines {
            arguments["start_line"] = first.into();
            arguments["end_line"] = last.into();
        }
        if let Some(length) = self.number('<') {
            let text = |letter: &str| Json::from(letter.repeat(length));
            match self.kind {
                "e" => {
                    arguments["old_string"] = text("o");
                    arguments["new_string"] = text("n");
                }
                "b" => {
                    arguments["command"] = format!("{}\n{}", self.name, "x".repeat(length)).into()
                }
                _ => arguments["content"] = text("c"),
            }
        }
        let function = json!({"name": tool, "arguments": arguments.to_string()});
        json!({"id": id, "type": "function", "function": function})
    }

    fn result(&self, id: &str, number: usize) -> Json {
        let text = self.content(number);
        let mut result = json!({"role": "tool", "tool_call_id": id, "content": text});
        if self.has('&') {
            let image = json!({"type": "image_url", "image_url": {"url": "data:,"}});
            result["content"] = json!([{"type": "text", "text": text}, image]);
        }
        if self.has('%') {
            result["content"] = json!({"lines": text});
        }
        if self.has('*') {
            result["metadata"] = json!({"ephemeral": true});
        }
        result
    }

    fn content(&self, number: usize) -> String {
        let length = self.number('#').unwrap_or(LENGTH);
        let seed = match self.marks.split_once('=') {
            Some((_, name)) => name.chars().next().unwrap() as usize,
            None => 1000 + number,
        };
        let head = match (self.has('!'), self.has('>')) {
            (true, _) => "Error: ",
            (_, true) => "File: a (structure)\nTotal lines: 900 | Preserved: 100 (11.1%)\n\n",
            _ => "",
        };
        let text = format!("{head}{}", format!("{seed} line\n").repeat(length / 6 + 1));
        text[..length].to_owned()
    }
}

pub fn policy(json: &str) -> Policy {
    Policy::from_json(json).unwrap_or_else(|problem| panic!("{json}: {problem}"))
}

impl Session {
    /// Calls `then` with the last view and the decisions up to it; each view repeats those of the view before.
    fn last_view<T>(
        &self,
        policy: &Policy,
        then: impl Fn(&Read<'_>, u32, &[PlannedEdit]) -> T,
    ) -> T {
        let mut decided = Vec::new();
        for length in &self.views[..self.views.len() - 1] {
            let read = read(&self.messages[..*length]);
            decided = view_repeating(&read, policy, read.history.steps(), &decided).decided;
        }
        let mut read = read(&self.messages);
        self.stubs.iter().for_each(|id| read.history.mark_stub(UseId(*id)));
        then(&read, self.step.unwrap_or(read.history.steps()), &decided)
    }

    pub fn view(&self, policy: &Policy) -> Vec<Json> {
        self.last_view(policy, |read, step, decided| {
            view_repeating(read, policy, step, decided).messages
        })
    }

    /// Each edit as a line: message, block, pass, tokens before and after, tool, reason, text.
    pub fn edits(&self, policy: &Policy) -> Vec<String> {
        self.last_view(policy, |read, step, decided| {
            let mut cache = Cache::default();
            let request = Request { policy, current_step: step, decided, idle: 0.0, sent: None };
            let plan = project(&read.history, request, &read.contents(), &mut cache);
            let line = |edit: &PlannedEdit| {
                let text = replacement_text(&read.history, policy, edit, &read.contents(), &mut cache);
                let EditReport { message, block, pass, is_pointer, reason, tool, tokens_before, tokens_after, text } =
                    EditReport::of(&read.history, edit, step, text);
                let (tool, text) = (tool.unwrap_or_default(), text.unwrap_or_default());
                let points = ["[Re-read of ", "[Duplicate result: "].iter().any(|start| text.starts_with(start));
                assert_eq!(is_pointer, points, "{text}");
                format!("{message}.{block} {pass:?} {tokens_before}>{tokens_after} {tool}, {reason}: {text}")
            };
            plan.edits().iter().map(line).collect()
        })
    }

    /// For each edit, whether later views repeat it.
    pub fn lasting(&self, policy: &Policy) -> Vec<bool> {
        self.last_view(policy, |read, step, decided| {
            let mut cache = Cache::default();
            let request = Request { policy, current_step: step, decided, idle: 0.0, sent: None };
            let plan = project(&read.history, request, &read.contents(), &mut cache);
            plan.edits().iter().map(|edit| edit.pass.is_lasting()).collect()
        })
    }

    /// The reports of the passes: edits and saved tokens of each pass with edits.
    pub fn passes(&self, policy: &Policy) -> String {
        self.last_view(policy, |read, step, decided| {
            let mut cache = Cache::default();
            let request = Request { policy, current_step: step, decided, idle: 0.0, sent: None };
            let plan = project(&read.history, request, &read.contents(), &mut cache);
            passes_of(&read.history, &plan)
        })
    }

    /// Each block of a message as a line: kind, tool, pass, tokens before and after, reason.
    pub fn explain(&self, policy: &Policy, message: usize) -> Vec<String> {
        self.last_view(policy, |read, step, decided| {
            let mut engine = Engine::default();
            engine.repeat(decided.to_vec());
            let ask = Ask { policy, step: Some(step), sticky: false, idle: 0.0, prefix: 0 };
            engine.project(&read.history, ask, &read.contents());
            let line = |report: BlockReport| {
                let BlockReport { block, kind, tool, pass, reason, tokens_before, tokens_after } =
                    report;
                let pass = pass.map_or("kept".to_owned(), |pass| format!("{pass:?}"));
                let tool = tool.unwrap_or_default();
                format!("{block} {kind:?} {tool}, {pass} {tokens_before}>{tokens_after}: {reason}")
            };
            engine
                .explain(&read.history, policy, message, &read.contents())
                .into_iter()
                .map(line)
                .collect()
        })
    }

    /// One mark for each result of the view: `.` is shown in full, `c` is cleared, `p` points to another read, `d` to
    /// an identical result, `x` is clipped, `e` was ephemeral.
    pub fn marks(&self, policy: &Policy) -> String {
        let shown = results(&self.view(policy));
        let mark = |((_, shown), (_, original)): (&(String, String), &(String, String))| {
            let begins = |with: &str| shown.trim_start_matches("Error: ").starts_with(with);
            match () {
                () if shown == original => '.',
                () if begins("[Re-read of ") => 'p',
                () if begins("[Duplicate result") => 'd',
                () if begins("[Ephemeral content was removed") => 'e',
                () if shown.contains("[truncated: ") => 'x',
                () if shown.len() < 170 => 'c',
                () => '?',
            }
        };
        shown.iter().zip(&results(&self.messages)).map(mark).collect()
    }
}

fn passes_of(history: &History, plan: &Plan) -> String {
    let reports = PassReport::all(history, plan).into_iter().filter(|report| report.edits > 0);
    let text = |PassReport { pass, edits, tokens_saved }: PassReport| {
        assert_eq!(plan.count(pass), edits);
        format!("{pass:?} {edits} {tokens_saved}")
    };
    reports.map(text).collect::<Vec<_>>().join(", ")
}

/// Whether projecting a view again gives the same view.
fn is_stable(words: &str, policy: &Policy) -> bool {
    let session = session(words);
    let once = session.view(policy);
    let again = |messages: &[Json]| {
        let read = read(messages);
        let step = session.step.unwrap_or(read.history.steps());
        view_repeating(&read, policy, step, &[]).messages
    };
    again(&once) == once
}

/// Checks rows of a session, a policy and the marks, and that each view projects to itself.
pub fn check(rows: &[(&str, &str, &str)]) {
    check_marks(rows);
    for (words, json, _) in rows {
        assert!(is_stable(words, &policy(json)), "another view of the view: {words} under {json}");
    }
}

/// Checks rows of a session, a policy and the marks.
pub fn check_marks(rows: &[(&str, &str, &str)]) {
    let wrong = rows.iter().filter_map(|(words, json, expected)| {
        let found = session(words).marks(&policy(json));
        (found != *expected).then(|| format!("{found} instead of {expected}: {words} under {json}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

/// Checks rows of a session, a policy and its edits.
pub fn check_edits(rows: &[(&str, &str, &[&str])]) {
    for (words, json, expected) in rows {
        let found = session(words).edits(&policy(json));
        assert_eq!(found, *expected, "{words} under {json}");
    }
}

/// Checks rows of a session, a policy, and the place and pass of each edit: `1.0 Inputs, 3.0 Edits`.
pub fn check_places(rows: &[(&str, &str, &str)]) {
    for (words, json, expected) in rows {
        let edits = session(words).edits(&policy(json));
        let place = |line: &String| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let found = edits.iter().map(place).collect::<Vec<_>>().join(", ");
        assert_eq!(found, *expected, "{words} under {json}: {edits:?}");
    }
}
