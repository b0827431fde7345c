// Definitions of Zig files, by the compiler's own parser (0.16 or newer): reads paths, prints a line of JSON for each.
const std = @import("std");
const Ast = std.zig.Ast;

const Finder = struct {
    tree: Ast,
    out: *std.Io.Writer,
    isFirst: bool = true,

    fn add(self: *Finder, token: Ast.TokenIndex, rank: []const u8) !void {
        if (!self.isFirst) try self.out.writeAll(",");
        self.isFirst = false;
        const line = self.tree.tokenLocation(0, token).line + 1;
        const name = std.mem.trim(u8, self.tree.tokenSlice(token), "@\"");
        try self.out.print("{{\"name\":{f},\"line\":{d},\"rank\":\"{s}\"}}", .{ std.json.fmt(name, .{}), line, rank });
    }

    fn declaration(self: *Finder, node: Ast.Node.Index, rank: []const u8) !void {
        var buffer: [1]Ast.Node.Index = undefined;
        if (self.tree.fullFnProto(&buffer, node)) |function| {
            if (function.name_token) |name| try self.add(name, rank);
            if (self.tree.nodeTag(node) == .fn_decl and std.mem.eql(u8, rank, "top"))
                try self.returned(self.tree.nodeData(node).node_and_node[1]);
        } else if (self.tree.fullVarDecl(node)) |variable| {
            try self.add(variable.ast.mut_token + 1, rank);
            const value = variable.ast.init_node.unwrap() orelse return;
            if (std.mem.eql(u8, rank, "top")) try self.members(value);
        } else if (self.tree.nodeTag(node) == .test_decl) {
            const token = self.tree.nodeData(node).opt_token_and_node[0].unwrap() orelse return;
            try self.add(token, "test");
        }
    }

    /// The members of types that the code of a function returns: `return struct {...};`.
    fn returned(self: *Finder, block: Ast.Node.Index) !void {
        var buffer: [2]Ast.Node.Index = undefined;
        for (self.tree.blockStatements(&buffer, block) orelse return) |statement| {
            if (self.tree.nodeTag(statement) != .@"return") continue;
            if (self.tree.nodeData(statement).opt_node.unwrap()) |value| try self.members(value);
        }
    }

    fn members(self: *Finder, node: Ast.Node.Index) std.Io.Writer.Error!void {
        var buffer: [2]Ast.Node.Index = undefined;
        if (self.tree.fullIf(node)) |choice| {
            try self.members(choice.ast.then_expr);
            if (choice.ast.else_expr.unwrap()) |other| try self.members(other);
        }
        const container = self.tree.fullContainerDecl(&buffer, node) orelse return;
        for (container.ast.members) |member| try self.declaration(member, "member");
    }
};

pub fn main(init: std.process.Init) !void {
    const gpa = init.arena.allocator();
    var line: [4096]u8 = undefined;
    var paths = std.Io.File.stdin().reader(init.io, &line);
    var space: [4096]u8 = undefined;
    var writer: std.Io.File.Writer = .init(.stdout(), init.io, &space);
    const out = &writer.interface;
    while (try paths.interface.takeDelimiter('\n')) |path| {
        const source = try std.Io.Dir.cwd().readFileAllocOptions(init.io, path, gpa, .unlimited, .of(u8), 0);
        const tree = try Ast.parse(gpa, source, if (@hasDecl(Ast, "ParseOptions")) .{} else .zig);
        if (tree.errors.len > 0) {
            try out.writeAll("null\n");
            continue;
        }
        try out.writeAll("[");
        var finder: Finder = .{ .tree = tree, .out = out };
        for (tree.rootDecls()) |node| try finder.declaration(node, "top");
        try out.writeAll("]\n");
    }
    try out.flush();
}
