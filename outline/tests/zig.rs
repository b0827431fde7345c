//! Sections of Zig: members of types that a function returns or a condition chooses.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

#[test]
fn members_of_returned_types() {
    let content = "pub fn List(comptime T: type) type {
    if (T == void) {
        return struct {
            pub fn none() void {}
        };
    }
    const size = 1;
    return struct {
        const Self = @This();
        items: []T,
        pub fn append(self: *Self, item: T) void {
            const local = item;
            _ = local;
        }
        const Inner = struct {
            fn deep() void {}
        };
        test \"appends\" {}
    };
}
fn plain() void {
    const Local = struct { fn call() void {} };
    return Local.call();
}
";
    let expected = [
        "function List",
        "  function none",
        "  constant Self",
        "  function append",
        "  constant Inner",
        "    function deep",
        "  test appends",
        "function plain",
    ];
    check("zig", content, &expected);
}

#[test]
fn members_of_chosen_types() {
    let content = "const A = if (is_windows) struct {
    pub fn open() void {}
} else struct {
    pub fn close() void {}
};
const B = switch (os) {
    .linux => struct {
        pub fn read() void {}
    },
    else => struct {
        pub fn write() void {}
    },
};
const C = std.c orelse if (is_windows) enum(u8) {
    pub fn first() void {}
} else if (is_linux) enum(u8) {
    pub fn second() void {}
} else enum(u8) {
    pub fn third() void {}
};
const D = 1;
";
    let expected = [
        "constant A",
        "  function open",
        "  function close",
        "constant B",
        "  function read",
        "  function write",
        "constant C",
        "  function first",
        "  function second",
        "  function third",
        "constant D",
    ];
    check("zig", content, &expected);
}
