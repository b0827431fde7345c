fn main() {
    let mut args = std::env::args().skip(1);
    let language = args.next().unwrap();
    for path in args {
        let text = std::fs::read_to_string(&path).unwrap();
        let out = trimtab_outline::outline(&language, &text, trimtab_outline::Budget::Quarter).unwrap();
        if std::env::var("Q").is_ok() {
            println!("{:.3} {} {} {}", out.text.len() as f64 / text.len() as f64, out.language, out.malformed, path);
        } else {
            print!("{}", out.text);
            println!("== {} of {} bytes, {} {}", out.text.len(), text.len(), out.language, out.malformed);
            if std::env::var("S").is_ok() { for s in out.sections { println!("{s:?}"); } }
        }
    }
}
