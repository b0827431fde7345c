// Calls of every function that takes options.

import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as root from 'trimtab'
import * as aiSdk from 'trimtab/ai-sdk'
import * as compaction from 'trimtab/compaction'
import * as encodings from 'trimtab/encodings'
import { createEncoding } from 'trimtab/encodings/custom'
import * as files from 'trimtab/files'
import * as formats from 'trimtab/formats'
import * as index from 'trimtab/index'
import * as money from 'trimtab/money'
import * as outlines from 'trimtab/outline'
import * as reading from 'trimtab/reading'
import * as recipes from 'trimtab/recipes'
import * as sessions from 'trimtab/sessions'
import * as timeline from 'trimtab/timeline'
import * as tokens from 'trimtab/tokens'
import * as tools from 'trimtab/tools'
import * as transcripts from 'trimtab/transcripts'
import * as workspaces from 'trimtab/workspace'
import { createStorage } from 'unstorage'

const call = {
  id: 'a',
  type: 'function',
  function: { name: 'read_file', arguments: '{"file_paths":["a.ts"]}' },
}
const history = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'x\n'.repeat(500) },
  { role: 'assistant', content: 'done' },
]
const result = history[2] as object
const answer = {
  call: { id: 'a', name: 'read_file' },
  result: { content: 'x', isError: false, ephemeral: false },
}
const file = { path: 'a.ts', content: 'const a = 1\n' }
const workspace = () => workspaces.createWorkspace({ memory: { 'a.ts': 'a', 'b.ts': 'b' } })
const prices = money.PRICES.anthropic
const vocabulary = Array.from(
  { length: 256 },
  (_, byte) => `${btoa(String.fromCharCode(byte))} ${byte}`,
).join('\n')
const o200k = await encodings.loadEncoding('o200k_base')
const grammar = await outlines.loadGrammar('typescript')
const reader = reading.createFileReader()
const limits = { contextSize: 100_000 }
const context = new root.Context()
context.project(history)
const saved = context.toJSON()
const long = [...history, { role: 'assistant', content: 'x' }].map((message) =>
  message === result ? { ...message, content: 'a line\n'.repeat(5000) } : message,
)
/** A Context that has cleared a result, and the reference to it. */
const cleared = () => {
  const own = new root.Context(root.rollingContext({ maxToolOutputAge: 0, preserveRecentFiles: false }))
  const { messages } = own.project(long)
  const reference = /recall (\w+)\]/.exec(JSON.stringify(messages))?.[1] as string
  return { own, reference }
}

// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers can pass anything.
export type Run = (options: any) => unknown

/** By name in the declarations: the required options, and the call. */
export const CALLS: Record<string, [needed: object, run: Run]> = {
  'Context.constructor': [{}, (it) => new root.Context({}, it).project(history)],
  'Context.project': [{}, (it) => new root.Context({}).project(history, it)],
  'MessageThread.project': [{}, (it) => new root.MessageThread(new root.Context({})).project(history, it)],
  'Context.endTurn': [{}, (it) => new root.Context({}).endTurn(history, it)],
  'Context.recall': [{}, (it) => cleared().own.recall(cleared().reference, it)],
  'Context.fromJSON': [{}, (it) => root.Context.fromJSON(saved, it)],
  trimtab: [{}, (it) => aiSdk.trimtab({}, it)],
  'AiSdkTrimtab.view': [{}, (it) => aiSdk.trimtab().view(history, it)],
  cacheAware: [{}, root.cacheAware],
  cleanupEphemeralMessages: [{}, (it) => root.cleanupEphemeralMessages(history, it)],
  clearOldToolUses: [{}, root.clearOldToolUses],
  dedupeToolResults: [{}, (it) => root.dedupeToolResults(history, it)],
  inspect: [{}, (it) => root.inspect(history, it)],
  project: [{}, (it) => root.project(history, {}, it)],
  readMessages: [{}, (it) => root.readMessages(history, it)],
  recall: [{}, (it) => root.recall(long, cleared().reference, it)],
  repair: [{}, (it) => root.repair(history, it)],
  rollingContext: [{}, root.rollingContext],
  smartRetention: [{}, root.smartRetention],
  toContextManagement: [{}, (it) => root.toContextManagement({ clear: {} }, it)],
  truncateOldToolOutputs: [{}, (it) => root.truncateOldToolOutputs(history, 1, it)],
  validate: [{}, (it) => root.validate(history, it)],
  clearToolUses: [{}, (it) => recipes.clearToolUses(history, it)],
  createTruncatedPlaceholder: [{}, (it) => recipes.createTruncatedPlaceholder(result, it)],
  dedupeFileReads: [{}, (it) => recipes.dedupeFileReads(it)(history)],
  getActiveFiles: [{}, (it) => recipes.getActiveFiles(history, 1, it)],
  hideToolArgs: [{}, (it) => recipes.hideToolArgs(200, it)(history)],
  keepRecentToolResults: [{}, (it) => recipes.keepRecentToolResults(3, it)(history)],
  processToolResult: [{ toolCall: call, result: 'x' }, recipes.processToolResult],
  rollingContextPolicy: [{}, recipes.rollingContextPolicy],
  shouldPreserveFileContent: [
    {},
    (it) => recipes.shouldPreserveFileContent({ path: 'a', lastAccessStep: 1 }, 2, it),
  ],
  shouldTruncateToolResult: [{}, (it) => recipes.shouldTruncateToolResult(result, 9, it)],
  smartToolRetention: [{}, (it) => recipes.smartToolRetention(it)(history)],
  summarizeToolOutput: [{}, (it) => recipes.summarizeToolOutput(result, it)],
  truncateOutput: [{}, (it) => recipes.truncateOutput('text', it)],
  truncateToolResults: [{}, (it) => recipes.truncateToolResults(5000, it)(history)],
  appendToFile: [{ path: 'a', text: 'b' }, (it) => files.appendToFile('a', it)],
  editFile: [{ path: 'a', oldString: 'a', newString: 'b' }, (it) => files.editFile('a', it)],
  formatRead: [file, files.formatRead],
  formatReads: [{ files: [file] }, files.formatReads],
  prependToFile: [{ path: 'a', text: 'b' }, (it) => files.prependToFile('a', it)],
  readTokenLimit: [{}, (it) => files.readTokenLimit(limits, it)],
  updateSection: [{ path: 'a', header: 'A', text: 'b' }, (it) => files.updateSection('# A\n', it)],
  createWorkspace: [{ memory: {} }, workspaces.createWorkspace],
  'Workspace.readFile': [{}, (it) => workspace().readFile('a.ts', it)],
  'Workspace.writeFile': [{}, (it) => workspace().writeFile('a.ts', 'b', it)],
  'Workspace.walk': [{}, (it) => workspace().walk('.', it).next()],
  'Workspace.remove': [{}, (it) => workspace().remove('a.ts', it)],
  fileStore: [{ fs, folder: tmpdir() }, sessions.fileStore],
  indexedDbStore: [{}, sessions.indexedDbStore],
  unstorageStore: [{ storage: createStorage() }, sessions.unstorageStore],
  convertMessages: [{}, (it) => formats.convertMessages(history, 'anthropic', it)],
  addToolResults: [{}, (it) => tools.addToolResults(history.slice(0, 2), [answer], it)],
  createReadLinesTool: [{}, (it) => tools.createReadLinesTool(workspace(), it)],
  createReadTool: [{}, (it) => tools.createReadTool(workspace(), it)],
  createTools: [{}, (it) => tools.createTools(workspace(), it)],
  openToolCalls: [{}, (it) => tools.openToolCalls(history, it)],
  runToolCall: [{}, (it) => tools.runToolCall([], { name: 'x', arguments: '{}' }, it)],
  toolResultMessage: [{ format: 'openai-chat' }, (it) => tools.toolResultMessage(answer, it)],
  toolResultMessages: [{ format: 'openai-chat' }, (it) => tools.toolResultMessages([answer], it)],
  withoutMetadata: [{}, (it) => tools.withoutMetadata(history, it)],
  changelog: [{}, (it) => timeline.changelog(history, it)],
  compressEdits: [{}, (it) => timeline.compressEdits(history, it)],
  fileEdits: [{}, (it) => timeline.fileEdits(history, it)],
  fileStateAt: [{}, (it) => timeline.fileStateAt(history, 'a.ts', it)],
  fileStates: [{}, (it) => timeline.fileStates(history, it)],
  indexReads: [{}, (it) => timeline.indexReads(index.createIndex(), history, it)],
  compact: [{}, (it) => compaction.compact(history, it)],
  compactionPrompt: [{}, (it) => compaction.compactionPrompt(history, it)],
  createContextMonitor: [{}, compaction.createContextMonitor],
  shouldCompact: [{}, (it) => compaction.shouldCompact(history, it)],
  conversationOf: [{}, (it) => reading.conversationOf(history, it)],
  createFileReader: [{}, reading.createFileReader],
  curatorPrompt: [file, reading.curatorPrompt],
  expand: [{ ...file, section: 'a' }, reading.expand],
  readFile: [file, reading.readFile],
  readFileEvents: [file, (it) => reading.readFileEvents(it).next()],
  'FileReader.readFile': [file, reader.readFile],
  'FileReader.expand': [{ ...file, section: 'a' }, reader.expand],
  createIndex: [{}, index.createIndex],
  createReadDigests: [{}, (it) => index.createReadDigests(index.createIndex(), it)],
  'FileIndex.query': [{}, (it) => index.createIndex().query('a', it)],
  'FileIndex.queryWithVectors': [
    {},
    (it) => index.createIndex({ embed: (texts) => texts.map(() => [1]) }).queryWithVectors('a', it),
  ],
  'FileIndex.digest': [{}, (it) => index.createIndex().digest(file, 'a', it)],
  'TokenMeter.constructor': [{}, (it) => new tokens.TokenMeter(it).tokens(history)],
  calibrateSession: [
    {},
    (it) =>
      tokens.calibrateSession(
        history,
        history.map(() => null),
        it,
      ),
  ],
  countMessages: [{}, (it) => tokens.countMessages(history, it)],
  estimateMessages: [{}, (it) => tokens.estimateMessages(history, it)],
  pricesOf: [{}, (it) => money.pricesOf('claude-sonnet-4-5', it)],
  simulate: [{}, (it) => money.simulate(history, { off: {} }, it)],
  diagnose: [{}, (it) => money.diagnose([{ body: { messages: history } }], it)],
  diagnoseSession: [{}, (it) => money.diagnoseSession({ messages: history, format: 'openai-chat' }, it)],
  tune: [{}, (it) => money.tune([{ messages: history }], it)],
  tuneCandidates: [{ window: 200_000, prices }, money.tuneCandidates],
  readTranscript: [{}, (it) => transcripts.readTranscript(JSON.stringify(history), it)],
  writeTranscript: [{ kind: 'pi' }, (it) => transcripts.writeTranscript(history, it)],
  readRequests: [
    {},
    (it) => transcripts.readRequests(JSON.stringify({ request: { messages: history }, response: {} }), it),
  ],
  loadGrammar: [{}, (it) => outlines.loadGrammar('typescript', it)],
  outline: [{}, (it) => outlines.outline('a.ts', 'const a = 1', it)],
  'Grammar.outline': [{}, (it) => grammar.outline('const a = 1', it)],
  loadEncoding: [{}, (it) => encodings.loadEncoding('o200k_base', it)],
  'Encoding.count': [{}, (it) => o200k.count('a', it)],
  'Encoding.encode': [{}, (it) => o200k.encode('a', it)],
  createEncoding: [{ vocabulary, pattern: '.' }, createEncoding],
}
