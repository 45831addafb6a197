//! The page: one file that needs nothing else.

use crate::gallery;
use crate::json::Json;

const FRAME: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");
const SCRIPTS: [&str; 3] =
    [include_str!("../page/desk.js"), include_str!("../page/editor.js"), include_str!("../page/page.js")];

/// The page, with a WebAssembly module of this crate in it.
pub fn page(module: &[u8]) -> syn::Result<String> {
    let exhibits = gallery::ALL.iter().map(|exhibit| {
        Ok(Json::Object(vec![
            ("title", exhibit.title.into()),
            ("name", exhibit.name.into()),
            ("args", Json::list(exhibit.args.iter().copied())),
            ("text", exhibit.text()?.into()),
        ]))
    });
    let exhibits = Json::List(exhibits.collect::<syn::Result<_>>()?).to_string();
    let parts = [
        ("/*style*/", STYLE.to_string()),
        ("/*gallery*/", exhibits),
        ("/*module*/", base64(module)),
        ("/*scripts*/", SCRIPTS.join("\n")),
    ];
    Ok(parts.iter().fold(FRAME.to_string(), |page, (mark, part)| page.replacen(mark, part, 1)))
}

/// Bytes as text.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().enumerate().fold(0_u32, |bits, (i, byte)| bits | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { digit as char } else { '=' });
        }
    }
    text
}
