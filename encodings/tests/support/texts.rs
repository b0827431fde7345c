//! Texts that tokenizers trip over.

use proptest::prelude::*;

/// One of a few pieces, each a class of text that some pattern treats in its own way.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => words(),
        4 => white_space(),
        2 => contractions(),
        2 => "[0-9]{1,5}|[\u{660}-\u{669}]{1,3}|[²³¼½Ⅷ①〇]{1,2}|[０-９]{1,4}",
        3 => "[!-/:-@\\[-`{-~]{1,4}|/{1,3}\n?/?",
        2 => "[一-龥]{1,5}|[ぁ-ゖァ-ヺー]{1,4}|[가-힣]{1,3}|[。、「」！？：（）·—…]{1,2}|[々〆ヶㄅ-ㄩ㐀-㐅]{1,2}",
        2 => emoji(),
        2 => "[a-zA-Zéñçøđ]{0,2}[\u{300}-\u{304}\u{323}\u{20DD}\u{FE0F}]{1,2}|[\u{903}\u{93E}\u{94D}क-घ]{1,4}",
        1 => special(),
        1 => "[\u{0}-\u{8}\u{E}-\u{1F}\u{7F}\u{AD}\u{200B}-\u{200F}\u{FEFF}\u{FFFD}\u{FFFF}\u{E000}\u{10FFFF}]{1,2}",
        1 => "\\PC{1,6}",
        1 => any::<String>(),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        "[A-Z]{1,3}[a-z]{0,5}",
        "[a-zA-Z]{1,30}",
        "[Α-Ωα-ω]{1,6}|[А-Яа-яё]{1,8}|[א-ת]{1,5}|[ا-ي]{1,5}|[ก-๛]{1,6}|[ა-ჰ]{1,4}|[Ա-ֆ]{1,4}",
        "[ªºǅǈʰˠﬁßſKÅİı]{1,3}|[Ａ-Ｚａ-ｚ]{1,4}|[ｦ-ﾟ]{1,3}|[𝒜-𝒵𝐀-𝐳]{1,3}",
    ]
}

fn white_space() -> impl Strategy<Value = String> {
    prop_oneof![
        " {1,4}",
        "[ \t]{1,6}|\n {0,8}|(\r\n){1,3}|\r{1,2}",
        "[\n\r\t \u{B}\u{C}]{1,6}",
        "[\u{85}\u{A0}\u{1680}\u{2000}\u{2003}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000} \n]{1,4}",
        // Both look like white space, and are none.
        "[\u{FEFF}\u{180E} \n]{1,3}",
    ]
}

fn contractions() -> impl Strategy<Value = String> {
    "[a-zA-Z]{0,3}['’](s|S|t|T|re|RE|rE|ve|Ve|m|M|ll|LL|lL|d|D|ſ|x|sx|l|r|v)?[a-z]{0,2}"
}

fn emoji() -> impl Strategy<Value = String> {
    prop_oneof![
        "[😀-🙏🚀-🛕🌀-🌟]{1,4}",
        Just("👩\u{200D}👩\u{200D}👧\u{200D}👦".to_owned()),
        Just("👍🏽🏳\u{FE0F}\u{200D}🌈".to_owned()),
        Just("🇩🇪🇫🇷".to_owned()),
        Just("1\u{FE0F}\u{20E3}❤\u{FE0F}☎".to_owned()),
    ]
}

fn special() -> impl Strategy<Value = String> {
    let names = [
        "<|endoftext|>",
        "<|endofprompt|>",
        "<|im_start|>",
        "<|begin_of_text|>",
        "<|start|>assistant<|channel|>final<|message|>",
        "<|reserved_200013|>",
        "<｜begin▁of▁sentence｜>",
        "<|fim_prefix|>",
        "<tool_call>",
        "<|",
        "|>",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// A text of up to `most` pieces.
pub fn text(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(fragment(), 0..most).prop_map(|pieces| pieces.concat())
}
