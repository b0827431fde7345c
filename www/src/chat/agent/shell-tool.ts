import type { Tool, ToolResult } from 'trimtab/tools'
import type { Workspace } from 'trimtab/workspace'

/** Creates a shell tool with six commands over the workspace, as the page has no real shell. */
export function shellTool(workspace: Workspace): Tool {
  return {
    name: 'shell',
    description: `Runs one command in the workspace, without pipes: ${Object.keys(COMMANDS).join(', ')}.`,
    parameters: {
      type: 'object',
      properties: { command: { type: 'string', description: 'Such as: tail -n 40 logs/build.log' } },
      required: ['command'],
      additionalProperties: false,
    },
    execute: (args) => execute(workspace, commandOf(args)),
  }
}

function commandOf(args: unknown): string {
  try {
    const given: unknown = typeof args === 'string' ? JSON.parse(args) : args
    const { command } = (given ?? {}) as { command?: unknown }
    return typeof command === 'string' ? command : ''
  } catch {
    return ''
  }
}

async function execute(workspace: Workspace, command: string): Promise<ToolResult> {
  const [name = '', ...words] = wordsOf(command)
  const run = COMMANDS[name]
  if (run === undefined)
    return result(`sh: ${name || 'nothing to run'}: command not found\n[exit code 127]`, true)
  try {
    return result(await run(workspace, words), false)
  } catch (error) {
    return result(`${name}: ${error instanceof Error ? error.message : String(error)}\n[exit code 1]`, true)
  }
}

const result = (content: string, isError: boolean): ToolResult => ({ content, isError, ephemeral: false })

/** Splits a command line into words and removes quotes. */
function wordsOf(command: string): string[] {
  const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'))
}

type Command = (workspace: Workspace, words: readonly string[]) => Promise<string>

const COMMANDS: Readonly<Record<string, Command>> = {
  ls: async (workspace, [path = '.']) =>
    (await workspace.list(path)).map((file) => file.path + (file.kind === 'folder' ? '/' : '')).join('\n'),
  cat: async (workspace, paths) =>
    (await Promise.all(paths.map((path) => textOf(workspace, path)))).join('\n'),
  head: (workspace, words) => part(workspace, words, (lines, count) => lines.slice(0, count)),
  tail: (workspace, words) =>
    part(workspace, words, (lines, count) => lines.slice(Math.max(0, lines.length - count))),
  wc: async (workspace, words) => {
    const path = words.at(-1) ?? ''
    const text = await textOf(workspace, path)
    return `${linesOf(text).length} lines, ${text.length} characters ${path}`
  },
  grep: async (workspace, words) => {
    const [text = '', path = ''] = words.filter((word) => !word.startsWith('-'))
    const lines = linesOf(await textOf(workspace, path))
    const hits = lines.flatMap((line, at) => (line.includes(text) ? [`${at + 1}:${line}`] : []))
    return hits.length === 0 ? '(no match)' : hits.join('\n')
  },
}

async function part(
  workspace: Workspace,
  words: readonly string[],
  cut: (lines: string[], count: number) => string[],
): Promise<string> {
  const count = Number(words[words.indexOf('-n') + 1])
  const text = await textOf(workspace, words.at(-1) ?? '')
  return cut(linesOf(text), words.includes('-n') && count > 0 ? count : 10).join('\n')
}

async function textOf(workspace: Workspace, path: string): Promise<string> {
  return new TextDecoder().decode((await workspace.readFile(path)).bytes)
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')
