//! The policy's JSON Schema, written from its Rust declaration by the tests: `js/src/generated/policy.schema.json`.

use super::Policy;
use schemars::generate::SchemaSettings;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/js/src/generated/policy.schema.json");

/// A `format` names a Rust type, which validators do not know: its range says the same.
fn without_formats(value: &mut serde_json::Value) {
    if let Some(object) = value.as_object_mut() {
        let format = object.get("format").and_then(serde_json::Value::as_str);
        let is_u32 = format == Some("uint32");
        if format.is_some() {
            object.remove("format");
        }
        if is_u32 {
            object.insert("maximum".to_owned(), u32::MAX.into());
        }
        object.values_mut().for_each(without_formats);
    } else if let Some(list) = value.as_array_mut() {
        list.iter_mut().for_each(without_formats);
    }
}

#[test]
fn writes_the_schema() -> std::io::Result<()> {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Policy>().to_value();
    without_formats(&mut schema);
    let text = serde_json::to_string_pretty(&schema)? + "\n";
    // The file is touched only when it changes: other checks look at its time.
    if std::fs::read_to_string(FILE).is_ok_and(|known| known == text) {
        return Ok(());
    }
    std::fs::write(FILE, text)
}
