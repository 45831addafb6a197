//! JSON in lines that say where something changed: what fits on a line stands there, and numbers in a row fill lines.

use serde::Serialize;
use serde_json::Value;

/// No line is longer, unless a single text is.
const WIDTH: usize = 140;

/// Something as JSON.
pub(super) fn text(something: &impl Serialize) -> String {
    let value = serde_json::to_value(something).expect("the keys of a report are strings");
    let mut text = String::new();
    write(&value, 0, &mut text);
    text + "\n"
}

fn write(value: &Value, indent: usize, text: &mut String) {
    let whole = value.to_string();
    let parts: Vec<(String, &Value)> = match value {
        _ if indent + whole.len() <= WIDTH => return text.push_str(&whole),
        Value::Array(values) => values.iter().map(|value| (String::new(), value)).collect(),
        Value::Object(values) => {
            values.iter().map(|(key, value)| (format!("{}: ", Value::from(&**key)), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return text.push_str(&whole),
    };
    let [open, close] = if value.is_array() { ["[", "]"] } else { ["{", "}"] };
    let start = format!("\n{:1$}", "", indent + 2);
    // Points of a series stand one behind the other.
    let short = |value: &Value| value.as_array().is_some_and(|point| point.iter().all(Value::is_number));
    let mut room = 0;
    text.push_str(open);
    for (i, (key, part)) in parts.iter().enumerate() {
        let length = part.to_string().len() + 2;
        if short(part) && length <= room {
            text.push(' ');
            room -= length;
        } else {
            text.push_str(&start);
            room = WIDTH.saturating_sub(indent + 2 + length);
        }
        text.push_str(key);
        write(part, indent + 2, text);
        text.push_str(if i + 1 < parts.len() { "," } else { "" });
    }
    text.push_str(&start[..=indent]);
    text.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stands_on_a_line_and_what_is_written_can_be_read() {
        let points: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i), 0.1 * f64::from(i))).collect();
        let value =
            serde_json::json!({"points": points, "short": [1, {"a": "b"}], "text": "x".repeat(200), "none": []});
        let text = text(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\n  \"short\": [1,{\"a\":\"b\"}],\n"), "{text}");
        let points = text.lines().filter(|line| line.starts_with("    [") && line.len() <= WIDTH).count();
        assert!((5..50).contains(&points), "{text}");
    }
}
