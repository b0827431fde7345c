//! What a policy protects: tools and files by name, calls by id, and failures.

use crate::message::{Names, ToolUse, normal_path};
use crate::projection::settings::names_tool;
use crate::projection::settings::settings;
use crate::text::glob_matches;
use serde::Serialize;

/// Content that no pass may clear, regardless of its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProtectPolicy {
    /// Tools whose results are kept: names, or `mcp__*` for all that begin so. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub tools: Vec<String>,
    /// Globs of files whose results are kept, matched against the paths in the calls: `docs/*.md`, `**`. A glob without
    /// a `/` matches the file name in any folder: `*.md`. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub paths: Vec<String>,
    /// Ids of calls that are never edited, and neither are their results. If an earlier projection edited them, the
    /// original comes back. Ephemeral content is still removed after its turn. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub pinned: Vec<String>,
    /// The newest failures are kept, up to this many estimated tokens together; older ones can be cleared like other
    /// results, and their stubs begin with `Error: `. Default 20,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub failure_tokens: u32,
}

settings!(ProtectPolicy {
    tools as "tools",
    paths as "paths",
    pinned as "pinned",
    failure_tokens as "failureTokens",
});

impl Default for ProtectPolicy {
    fn default() -> Self {
        Self { tools: Vec::new(), paths: Vec::new(), pinned: Vec::new(), failure_tokens: 20_000 }
    }
}

/// The names that a [`ProtectPolicy`] protects, computed once for each name.
#[derive(Debug, Default)]
pub struct ProtectedNames {
    policy: ProtectPolicy,
    /// The globs of the policy, and each as the name of a file is written.
    globs: Vec<String>,
    /// For each name: whether it is a protected tool, and whether it is a protected path.
    known: Vec<(bool, bool)>,
    /// The ids of pinned calls.
    pinned: Names,
}

impl ProtectedNames {
    /// Updates the table for this policy and new names.
    pub fn follow(&mut self, policy: &ProtectPolicy, names: &Names) {
        if self.policy != *policy {
            *self = Self { policy: policy.clone(), ..Self::default() };
            for id in &policy.pinned {
                self.pinned.intern(id);
            }
            let globs = policy.paths.iter();
            self.globs = globs.flat_map(|glob| [glob.clone(), normal_path(glob)]).collect();
        }
        if policy.tools.is_empty() && policy.paths.is_empty() {
            return;
        }
        let is_tool = |name: &str| names_tool(&policy.tools, name);
        let is_path = |name: &str| self.globs.iter().any(|glob| glob_matches(glob, name));
        let new = names.all().skip(self.known.len()).map(|name| (is_tool(name), is_path(name)));
        self.known.extend(new);
    }

    /// Whether the policy protects this tool use by id, tool or file.
    pub fn cover(&self, tool_use: &ToolUse) -> bool {
        self.pins(tool_use)
            || !self.known.is_empty()
                && (self.known[tool_use.tool.index()].0
                    || tool_use.files.iter().any(|(path, _)| self.known[path.index()].1))
    }

    /// Whether the policy pins this tool use by id. Every view asks this of every tool use, so no id is looked up in
    /// the usual case that nothing is pinned.
    pub fn pins(&self, tool_use: &ToolUse) -> bool {
        !self.pinned.is_empty() && self.is_pinned(tool_use)
    }

    #[inline(never)]
    fn is_pinned(&self, tool_use: &ToolUse) -> bool {
        tool_use.id.as_ref().is_some_and(|id| self.pinned.find(id).is_some())
    }
}
