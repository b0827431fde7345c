//! Definitions beside code that grammars do not parse: they were lost, or had another name.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

#[test]
fn functions_of_shells_whose_body_is_a_loop() {
    let content = "#!/bin/bash
first() { echo 1; }
loop() for i in 1 2; do
  if true; then for j in a; do echo $j; done; fi
done
spin() while read -r line; do
  echo \"$line\"
done
until_() until false; do :; done
pick() case \"$1\" in
  a) inner() { echo; } ;;
esac
function keyword for i in 1; do echo; done
function words
{
  echo
}
below()
  for i in a b; do
    echo $i
  done
chosen() select x in a b; do echo $x; done
counted() for ((i=0; i<3; i++)); do
  echo $i
done >/dev/null
unended() for i in 1; do
  for j in 2; do
  done
last() { echo last; }
";
    let expected = [
        "function first",
        "function loop",
        "function spin",
        "function until_",
        "function pick",
        "function keyword",
        "function words",
        "function below",
        "function chosen",
        "function counted",
        "function last",
    ];
    check("bash", content, &expected);
}

#[test]
fn functions_below_here_documents() {
    let content = "cat <<EOF | while read -r line; do
body() { :; }
EOF
  echo $line
done
first() { :; }
cat <<A - <<-'B'
a() {
A
b() {
  :
}
\tB
second() {
  cat <<\"E F\" && {
}
E F
    :
  }
}
# cat <<EOF | {
third() { echo \"cat <<EOF | {\"; }
cat <<EOF
EOF
";
    check("bash", content, &["function first", "function second", "function third"]);
}

#[test]
fn variables_of_libraries() {
    let content = "extern \"c\" var queue: u8;
pub extern \"c\" const other: u8;
extern var plain: u8;
extern \"c\" fn call() void;
";
    let expected = ["constant queue", "constant other", "constant plain", "function call"];
    check("zig", content, &expected);
}

#[test]
fn structs_with_errors_in_a_block_of_code() {
    let content = "namespace Numbers {
    public struct Half : IComparable<Half>
    {
        public Half(float f)
            : this()
        {
            unsafe
            {
                bits = Convert(*(int*)&f);
            }
        }

        public int Bits() { return 1; }
    }
}
";
    let expected = ["namespace Numbers", "  struct Half", "    function Half", "    function Bits"];
    check("csharp", content, &expected);
}

#[test]
fn macros_on_lines_of_their_own() {
    let content = "RETURNS_OPT
format_t *
API
open_read(
    PARAM_IN char const * path
    );

EXPORT PURE
packet_t *get_ip(packet_t *packet);

EXPORT PURE
packet_t *get_ip6(packet_t *packet);

row *next _PRx((row *of));
int end(void);
";
    let expected = [
        "function open_read",
        "function get_ip",
        "function get_ip6",
        "function next",
        "function end",
    ];
    check("c", content, &expected);
    let content = "namespace bodies
{
struct Sphere
{
  double radius;

  ALIGNED_NEW
};

class Body
{
public:
  Body() : scale_(1.0) {}
  ALIGNED_NEW
};
}
";
    let expected = ["namespace bodies", "  struct Sphere", "  class Body", "    function Body"];
    check("cpp", content, &expected);
}

#[test]
fn macros_around_parameters_of_several_lines() {
    let content = "ZEXTERN int ZEXPORT copy OF((z_streamp dest,
                               z_streamp source));
ZEXTERN int ZEXPORT open OF((z_streamp strm, int level,
                             int size));
";
    check("c", content, &["function copy", "function open"]);
}

#[test]
fn classes_with_types_in_javascript() {
    let content = "class Card extends Component<Props, State<A>> {
  render() {
    return <div/>
  }
}
export default class Other extends React.PureComponent<
  Props
> {
  go() {}
}
";
    let expected = ["class Card", "  function render", "class Other", "  function go"];
    check("javascript", content, &expected);
}

/// Code that the grammars reject is no fault of the file.
#[test]
fn valid_code_is_not_malformed() {
    let cases = [
        ("typescript", "export type * from './a.js'\nexport type * as ns from \"./b.js\"\n"),
        ("tsx", "export type * from './a.js'\n"),
        ("typescript", "for (using file of files) {}\n"),
        ("rust", "trait Both = A + B;\n"),
    ];
    for (language, content) in cases {
        let found = trimtab_outline::outline(language, content, trimtab_outline::Budget::default());
        assert!(found.is_ok_and(|outline| !outline.malformed), "{language}: {content}");
    }
}
