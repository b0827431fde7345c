//! Sections of C: macros, types, and structs in declarations.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;
use trimtab_outline::{Budget, outline};

#[test]
fn macros_of_c() {
    let content = "
#ifndef PARSER_H
#define PARSER_H
#define LIMIT 20
#define MAX(a, b) \\
  ((a) > (b) ? (a) : (b))
typedef void (*handler)(int);
typedef void (APIENTRYP PFNGLCLEARPROC)(GLbitfield mask);
typedef struct parser parser;
int parse(const char *text);
#endif
";
    let expected = [
        "constant LIMIT",
        "macro MAX",
        "type handler",
        "type PFNGLCLEARPROC",
        "type parser",
        "function parse",
    ];
    check("c", content, &expected);
    check("cpp", content, &expected);
}

#[test]
fn structs_in_declarations_of_c() {
    let content = "
static struct Global {
  int a;
} g;
typedef struct _client {
  int fd;
} *client;
typedef struct same {
  int a;
} same;
";
    for language in ["c", "cpp"] {
        check(
            language,
            content,
            &["variable g", "  struct Global", "type client", "  struct _client", "type same"],
        );
    }
}

#[test]
fn names_of_types_and_macros_of_c() {
    let content = "
typedef struct Rec_ {
  int x;
} Rec, *Ptr;
typedef unsigned int uint32_t;
int f(void) {
#define ADD(a) \\
  ((a) + 1)
#define ONE 1
  return ADD(1);
}
static int table[] = {
# define ROW(n) { n, 0 }
  ROW(1),
};
LIBv06_API Rec *g(void);
";
    check(
        "c",
        content,
        &[
            "type Ptr",
            "type Rec",
            "  struct Rec_",
            "type uint32_t",
            "function f",
            "  macro ADD",
            "variable table",
            "  macro ROW",
            "function g",
        ],
    );
    let lines = |name: &str| {
        let found = outline("c", content, Budget::default()).ok()?;
        let section = found.sections.iter().find(|section| section.name == name)?;
        Some((section.start_line, section.end_line))
    };
    assert_eq!(lines("ADD"), Some((7, 8)));
    assert_eq!(lines("ROW"), Some((13, 13)));
    assert_eq!(lines("Ptr"), Some((2, 4)));
}

#[test]
fn macros_between_the_items_of_enumerations() {
    let content = "
enum kind
{
  FIRST = 1, /* } */
#define FIRST FIRST
  SECOND
#define SECOND \\
  SECOND
#ifdef MORE
# define EVERY(a) a
#define GUARD
#endif
};
typedef enum { THIRD,
#define THIRD THIRD
} type;
struct holder {
  enum {
    INNER
#define INNER INNER
  } field;
  int size;
};
#define LIMIT 1
";
    for language in ["c", "cpp"] {
        check(
            language,
            content,
            &[
                "enum kind",
                "  constant FIRST",
                "  constant SECOND",
                "  macro EVERY",
                "type type",
                "  constant THIRD",
                "struct holder",
                "  constant INNER",
                "constant LIMIT",
            ],
        );
        let found = outline(language, content, Budget::default());
        assert!(found.is_ok_and(|outline| !outline.malformed), "{language}");
    }
}
