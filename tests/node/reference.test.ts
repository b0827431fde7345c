import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleIndex } from '../../scripts/lib/reference/examples.mjs'
import { reference } from '../../scripts/lib/reference/index.mjs'
import { surface } from '../../scripts/lib/reference/surface.mjs'

const ROOT = new URL('../..', import.meta.url).pathname
const pages: Map<string, string> = reference()

test('exactly the generated pages are committed', () => {
  const committed = readdirSync(join(ROOT, 'docs/reference'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/reference/${name}`)
  expect(committed.sort()).toEqual([...pages.keys()].sort())
})

test.each([...pages])('%s is what `npm run docs` writes', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
})

interface Export {
  name: string
  kind: string
  doc: string
  declarations: string[]
  symbol: object
}
const entries = surface() as { name: string; exports: Export[] }[]

test('every export has a doc comment', () => {
  const bare = entries.flatMap(({ name, exports }) =>
    exports.filter(({ doc }) => doc === '').map((each) => `${name} ${each.name}`),
  )
  expect(bare).toEqual([])
})

test('every exported value is imported by an example that runs', () => {
  const examples = exampleIndex()
  const values = new Map<object, string[]>()
  for (const { name, exports } of entries)
    for (const each of exports)
      if (each.kind !== 'type')
        values.set(each.symbol, [...(values.get(each.symbol) ?? []), `${name} ${each.name}`])
  expect(values.size).toBeGreaterThan(120)
  expect([...values.values()].filter((imports) => !imports.some((key) => examples.has(key)))).toEqual([])
})

/**
 * Types without a narrower form, and why. Lists of messages (`readonly object[]`) are the host's own
 * everywhere.
 */
const OPEN_TYPES: Record<string, string> = {
  AgentModel: 'answers of OpenAI Agents, of which the usage is read',
  AgentRecall: 'arguments are what a model wrote',
  AgentRequest: "a request of LangChain's, of which little is used",
  AiSdkTools: 'messages of the host',
  AnyToolCall: 'arguments are what a model wrote',
  CallParams: "a model call's options, of which little is used",
  ChatConfig: "a request of TanStack AI's, of which little is used",
  ClaudeHookInput: 'what tools of Claude Code are given and answer',
  ClaudeHookOutput: 'what a tool of Claude Code answers',
  ClaudeRecall: 'arguments are what a model wrote',
  ClineSetup: 'arguments are what a model wrote',
  CompiledModule: 'a module, which has no members to know it by',
  Compaction: "what the host's model threw",
  Context:
    "calibrate takes any provider's usage; answerRecall what a model wrote, and gives the host's own values",
  ConvertedMessages: 'messages of the format that was asked for by its name',
  CopilotRecall: 'arguments are what a model wrote',
  CopilotToolUse: 'arguments are what a model wrote',
  FileSystem: 'what node:fs gives and takes, of which little is used',
  FileToRead: 'what reading threw',
  KeyValueStorage: "a store's values",
  LangChainRecall: 'messages of the host',
  LoggedRequest: "any provider's body and usage",
  InputStep: "Mastra's tools and its own state, as it passes them",
  MastraRecall: 'the context of a call, of which the messages are read',
  ModelCall: "a call of Mastra's, of which little is used",
  ModelMiddleware: "a model's answer, of which the usage is read",
  ModelReply: "a model's answer, of which the usage is read",
  NeutralHistory: 'arguments are what a model wrote',
  OpencodeHooks: 'a hook whose input is empty',
  OpencodeTool: 'arguments are what a model wrote',
  PiApi: "messages of pi's",
  PiRecall: 'arguments are what a model wrote',
  ReadIndex: "what the host's index answers is not used",
  Recalled: "a result's content, the host's own value",
  Recaller: 'arguments are what a model wrote',
  SavedSession: 'a saved state or context of any version, and fields of the host',
  SentRequest: "any provider's body and usage",
  SessionFileSystem: 'what node:fs gives and takes, of which little is used',
  Step: "any model's usage",
  Summarize: "messages of the host, and the provider's that it answers with",
  Tool: 'arguments are what a model wrote',
  ToolMessageOf: 'a message of a format by its name',
  ToolParameters: 'JSON Schema',
  ToolResultObject: "fields of the host's results",
  ToolSchema: 'JSON Schema',
  Transcript: 'messages of a format that is known when the file is read',
  TrimtabErrorDetails: 'cause, as in Error',
  TrimtabMiddleware: "what TanStack AI's hooks are told, of which little is used",
  ViewCache: "what the host's cache answers is not used",
  Zod: 'a schema of zod, whose overloads say nothing',
  isSummary: 'one message of the host',
  loadPolicy: 'what a file says, before it is checked',
  migrateSession: 'a session of any version',
  readUsage: "any provider's usage",
  shouldTruncateToolResult: 'one message of the host',
  summarizeToolOutput: 'one message of the host',
  toResponsesItems: "items of OpenAI Agents, the host's own",
  toolResultMessage: 'a message of a format by its name',
  toolResultMessages: 'messages of a format by its name',
}

test('declarations use unknown and object only where nothing narrower is known', () => {
  const noise = /\/\*\*[\s\S]*?\*\/|readonly object\[\]|extends object(?: = object)?|'[^']*'|"[^"]*"/g
  const open = entries.flatMap(({ exports }) =>
    exports
      .filter(({ declarations }) => /\b(?:unknown|object)\b/.test(declarations.join('\n').replace(noise, '')))
      .map(({ name }) => name),
  )
  expect([...new Set(open)].sort()).toEqual(Object.keys(OPEN_TYPES).sort())
})
