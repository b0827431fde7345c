// A workspace of a few files in memory, and the tools on it.

import { createTools, runToolCall, type Tool, type ToolsOptions } from 'trimtab/tools'
import { createWorkspace, type Workspace } from 'trimtab/workspace'

export const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/app.ts': 'const a = 1\nconst b = a + 1\n',
  'src/deep/util.ts': 'export const A = 1\n',
  'workspace.md': '# Workspace\n\n## Current State\n\nStatus: Initializing\n\n## Notes\n\nnone\n',
  'logo.png': new Uint8Array([0x89, 0x50, 0, 0, 13, 10]),
  'node_modules/x/index.js': 'const a = 1\n',
}

export function setUp(options: ToolsOptions = {}): { workspace: Workspace; tools: Tool[]; run: Run } {
  const workspace = createWorkspace({ memory: FILES })
  const tools = createTools(workspace, options)
  return {
    workspace,
    tools,
    run: (name, args) => runToolCall(tools, { name, arguments: JSON.stringify(args) }),
  }
}
export type Run = (name: string, args: object) => ReturnType<typeof runToolCall>

export const contentOf = async (workspace: Workspace, path: string) =>
  new TextDecoder().decode((await workspace.readFile(path)).bytes)
