//! Format detection of a list of messages, from their structure alone.

use super::foreign::foreign;
use super::registry::Format;
use crate::message::{Key, Kind, Problem, Value, read_string};
use crate::text::quoted;

/// Detects the format of `count` messages. If several formats fit, the first in the order of [`Format::ALL`] wins. A
/// list that mixes formats is an error; it names the first message that does not share a format with those before it.
pub fn detect<V: Value>(message: impl Fn(usize) -> V, count: usize) -> Result<Format, Problem> {
    let mut fitting: Vec<Format> = Format::ALL.to_vec();
    for index in 0..count {
        let entry = message(index);
        check_is_message(&entry, index)?;
        let own: Vec<Format> =
            Format::ALL.iter().copied().filter(|format| fits(*format, &entry)).collect();
        // A message of an unknown type, in a list whose format is already clear.
        if let [only] = fitting.as_slice()
            && own.is_empty()
            && only.read(&entry).is_ok()
        {
            continue;
        }
        if own.is_empty() {
            return Err(misshapen(&entry, index));
        }
        let before = fitting.clone();
        fitting.retain(|format| own.contains(format));
        if fitting.is_empty() {
            let expected = before.first().map_or("", |format| format.name());
            return Err(Problem::MixedFormats { index, expected });
        }
    }
    Ok(fitting.first().copied().unwrap_or(Format::FIRST))
}

/// Returns an error if an entry is not an object.
pub fn check_is_message<V: Value>(entry: &V, index: usize) -> Result<(), Problem> {
    let found = match entry.kind() {
        Kind::Object => return Ok(()),
        Kind::Absent => "null or undefined",
        Kind::Text => "a string",
        Kind::List => "an array",
        Kind::Scalar => "a number, boolean or other primitive",
    };
    Err(Problem::NotAMessage { index, found })
}

/// Returns the problem of a message that no format can read.
pub fn misshapen<V: Value>(entry: &V, index: usize) -> Problem {
    if let Some(what) = foreign(entry) {
        return Problem::ForeignMessage { index, what };
    }
    match entry.field(Key::Role).word() {
        Some(_) => Problem::UnknownFormat { index, seen: seen(entry), supported: Format::NAMES },
        None => Problem::UnknownRole {
            index,
            seen: seen(entry),
            expected: "system, developer, user, assistant, model, tool or function. Of Haystack, Cohere v1 or A2A: \
                       make `openai-chat` messages of it",
        },
    }
}

/// Describes the role and type of a message for an error message.
fn seen<V: Value>(entry: &V) -> String {
    let said = |key| match read_string(&entry.field(key)) {
        Some(text) => quoted(start_of(&text)),
        None => "none".to_owned(),
    };
    format!("role {}, type {}", said(Key::Role), said(Key::Type))
}

/// Shortens a name to the 40 characters that an error message shows.
fn start_of(text: &str) -> &str {
    let end = text.char_indices().nth(40).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn fits<V: Value>(format: Format, message: &V) -> bool {
    format.recognises(message) && format.read(message).is_ok()
}

#[cfg(test)]
mod tests {
    use super::detect;
    use crate::formats::Format;
    use crate::message::{JsonValue, Problem, ProblemCode};
    use serde_json::{Value as Json, json};

    fn run(messages: &Json) -> Result<Format, Problem> {
        let list: &[Json] = messages.as_array().map_or(&[], Vec::as_slice);
        detect(|i| JsonValue(list.get(i)), list.len())
    }

    #[test]
    fn tells_formats_by_structure() {
        let openai = Ok(Format::OpenAiChat);
        let anthropic = Ok(Format::Anthropic);
        let responses = Ok(Format::OpenAiResponses);
        let cases = [
            (json!([]), openai.clone()),
            (json!([{"role":"user","content":"hi"}]), openai.clone()),
            (json!([{"role":"user","content":[{"type":"text","text":"hi"}]}]), openai.clone()),
            (json!([{"role":"system","content":"be brief"}]), openai.clone()),
            (
                json!([{"role":"assistant","content":[{"type":"new_tool_result","tool_use_id":"a"}]}]),
                anthropic.clone(),
            ),
            (
                json!([{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]),
                openai.clone(),
            ),
            (
                json!([{"role":"user","content":"a"},{"role":"tool","tool_call_id":"1","content":"b"}]),
                openai.clone(),
            ),
            (json!([{"role":"assistant","content":null,"tool_calls":[]}]), openai),
            (
                json!([{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"read","input":{}}]}]),
                anthropic.clone(),
            ),
            (
                json!([{"role":"user","content":"a"},{"role":"system","content":"b"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"read","input":{}}]}]),
                anthropic.clone(),
            ),
            (json!([{"role":"user","content":[{"type":"image","source":{}}]}]), anthropic),
            (
                json!([{"role":"user","content":[{"type":"input_text","text":"hi"}]}]),
                responses.clone(),
            ),
            (
                json!([{"role":"user","content":"hi"},{"type":"reasoning","summary":[]}]),
                responses.clone(),
            ),
            (
                json!([{"type":"function_call_output","call_id":"1","output":"x"},{"type":"brand_new"}]),
                responses,
            ),
        ];
        for (messages, expected) in cases {
            assert_eq!(run(&messages), expected, "{messages}");
        }
    }

    #[test]
    fn tells_frameworks_and_providers_by_structure() {
        let user = || json!({"role":"user","content":"hi"});
        let cases = [
            (
                json!([user(), {"role":"tool","content":[{"type":"tool-result","toolCallId":"1","output":{"type":"json","value":{}}}]}]),
                "ai-sdk",
            ),
            (
                json!([user(), {"role":"user","content":[{"type":"image","image":"data"}]}]),
                "ai-sdk",
            ),
            (json!([{"role":"user","parts":[{"type":"text","text":"hi"}]}]), "ai-sdk-ui"),
            (
                json!([{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[]}]),
                "gemini",
            ),
            (json!([{"parts":[{"text":"hi"}]}]), "gemini"),
            (json!([{"type":"human","content":"hi"}]), "langchain"),
            (json!([{"type":"tool","data":{"content":"x","tool_call_id":"1"}}]), "langchain"),
            (
                json!([{"lc":1,"type":"constructor","id":["l","m","AIMessage"],"kwargs":{"content":""}}]),
                "langchain",
            ),
        ];
        for (messages, name) in cases {
            let format = Format::from_name(name).unwrap_or(Format::OpenAiChat);
            assert_eq!(run(&messages), Ok(format), "{messages}");
        }
        let mixed = [
            json!([user(), {"role":"user","parts":[{"text":"hi"}]}]),
            json!([{"type":"human","content":"hi"}, user()]),
            json!([{"role":"user","parts":[{"type":"text","text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]),
            json!([{"role":"tool","content":[{"type":"tool-result"}]},{"type":"function_call","call_id":"1"}]),
        ];
        for messages in mixed {
            let problem = run(&messages).err();
            assert_eq!(
                problem.as_ref().map(Problem::code),
                Some(ProblemCode::MixedFormats),
                "{messages}"
            );
            assert_eq!(problem.and_then(|problem| problem.index()), Some(1));
        }
    }

    #[test]
    fn names_what_it_cannot_read() {
        let names = Format::NAMES;
        let unknown = format!(
            "messages[0] is in no supported format ({names}): role \"tool-call\", type none"
        );
        let cases = [
            (
                json!([{"role":"user","content":"a"}, null]),
                "messages[1] is null or undefined",
                ProblemCode::InvalidMessage,
            ),
            (json!([7]), "messages[0] is a number", ProblemCode::InvalidMessage),
            (
                json!([{"content":"a"}]),
                "messages[0] has no known role",
                ProblemCode::InvalidMessage,
            ),
            (
                json!([{"type":"brand_new"}]),
                "messages[0] has no known role",
                ProblemCode::InvalidMessage,
            ),
            (
                json!([{"role":"tool","tool_call_id":"1","content":"b"},{"type":"reasoning"}]),
                "messages[1] is not openai-chat",
                ProblemCode::MixedFormats,
            ),
            (
                json!([{"role":"wizard"}]),
                "messages[0] has no known role (role \"wizard\", type none): expected",
                ProblemCode::InvalidMessage,
            ),
            (json!([{"role":"tool-call","content":"a"}]), &unknown, ProblemCode::UnknownFormat),
            (
                json!([{"role":"tool","tool_call_id":"1","content":"b"},
                       {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"read","input":{}}]}]),
                "messages[1] is not openai-chat",
                ProblemCode::MixedFormats,
            ),
            (
                json!([{"role":"tool","content":[{"type":"tool_use","id":"1","name":"r","input":{}}]}]),
                "messages[0] is in no supported format",
                ProblemCode::UnknownFormat,
            ),
        ];
        for (messages, start, code) in cases {
            let problem = run(&messages).err();
            let text = problem.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(text.starts_with(start), "{messages}: {text}");
            assert_eq!(problem.map(|p| p.code()), Some(code));
        }
    }
}
