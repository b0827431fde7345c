// A call of every function that the package exports, with arguments that are valid.
import * as trimtab from 'trimtab'
import * as aiSdk from 'trimtab/ai-sdk'
import * as claudeAgent from 'trimtab/claude-agent'
import * as cline from 'trimtab/cline'
import * as compaction from 'trimtab/compaction'
import * as copilot from 'trimtab/copilot'
import * as encodings from 'trimtab/encodings/custom'
import * as files from 'trimtab/files'
import * as formats from 'trimtab/formats'
import * as index from 'trimtab/index'
import * as langchain from 'trimtab/langchain'
import * as mastra from 'trimtab/mastra'
import * as money from 'trimtab/money'
import * as agents from 'trimtab/openai-agents'
import * as opencode from 'trimtab/opencode'
import * as outlines from 'trimtab/outline'
import * as pi from 'trimtab/pi'
import * as reading from 'trimtab/reading'
import * as recipes from 'trimtab/recipes'
import * as sessions from 'trimtab/sessions'
import * as tanstack from 'trimtab/tanstack'
import * as timeline from 'trimtab/timeline'
import * as tokens from 'trimtab/tokens'
import * as tools from 'trimtab/tools'
import * as transcripts from 'trimtab/transcripts'
import * as workspaces from 'trimtab/workspace'
import { createStorage } from 'unstorage'
import { tool, z } from '../plugins/host-tools.js'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import type { MethodCall } from './hostile-method-calls.js'
import { history } from './hostile-values.js'

const { rollingContext } = trimtab
const anthropic = formats.convertMessages(history, 'anthropic').messages
const usage = [null, { input: 100, output: 5 }, null, { input: 900, output: 5 }]
const calibration = {
  version: 1,
  ratios: [1, 1, 1],
  covariance: [0, 1, 2].map(() => [0.1, 0.1, 0.1]),
  reports: 1,
}
const bySource = { answers: 1, results: 2, prompts: 3 }
const answer = { call: { id: 'a', name: 'bash' }, result: { content: 'x', isError: false, ephemeral: false } }
const open = history.slice(0, 2)
const file = { path: 'a.ts', content: 'export function f() {\n  return 1\n}\n' }
const prices = JSON.parse(JSON.stringify(money.PRICES.anthropic)) as object
const simulation = JSON.parse(
  JSON.stringify(money.simulate(history, { rolling: rollingContext() }, { bounds: false })),
) as object
const tuning = JSON.parse(
  JSON.stringify(money.tune([{ messages: history }], { candidates: { off: {} } } as never)),
) as object
const requests = [1, 2].map((length) => ({
  body: {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: anthropic.slice(0, length),
    tools: [],
    system: 'x',
  },
  response: { usage: { input_tokens: 100 * length, output_tokens: 5 } },
}))
const session = { history, format: 'openai-chat', note: [1, { two: 2 }] }
const bytes = Array.from({ length: 256 }, (_, i) => `${Buffer.from([i]).toString('base64')} ${i}\n`)
const { policies: simulated } = simulation as { policies: object[] }

const CORE: Record<string, MethodCall> = {
  Context: [
    (policy, options) => new trimtab.Context(policy, options),
    { age: { maxToolOutputAge: 3 }, protect: { tools: ['x'] } },
    { model: 'm', format: 'openai-chat', calibration: { ...calibration, beside: 1 } },
  ],
  MessageThread: [(context) => new trimtab.MessageThread(context), new trimtab.Context()],
  cacheAware: [trimtab.cacheAware, {}],
  cleanupEphemeralMessages: [trimtab.cleanupEphemeralMessages, history, { mode: 'stub' }],
  clearOldToolUses: [
    trimtab.clearOldToolUses,
    { trigger: { type: 'tool_uses', value: 3 }, excludeTools: ['x'] },
  ],
  dedupeToolResults: [trimtab.dedupeToolResults, history, { format: 'openai-chat' }],
  inspect: [trimtab.inspect, history, {}],
  loadPolicy: [trimtab.loadPolicy, { protect: { tools: ['x'] }, age: { maxToolOutputAge: 3 } }],
  off: [() => trimtab.off],
  project: [
    trimtab.project,
    history,
    { age: { maxToolOutputAge: 0 }, recall: true, protect: { paths: ['x'] } },
    {
      idle: 1,
      prefix: 'x',
      state: JSON.parse(JSON.stringify(trimtab.project(history, { age: { maxToolOutputAge: 0 } }).state)),
    },
  ],
  readMessages: [trimtab.readMessages, history, {}],
  recall: [recallOne, history, { offset: 1 }],
  recallTool: [trimtab.recallTool, 'openai-chat'],
  repair: [trimtab.repair, [...history, { role: 'tool', tool_call_id: 'b', content: 'x' }], {}],
  rollingContext: [trimtab.rollingContext, { maxToolOutputAge: 3 }],
  smartRetention: [trimtab.smartRetention, { maxFileReads: 3 }],
  toContextManagement: [trimtab.toContextManagement, { clear: { excludeTools: ['x'] } }],
  truncateOldToolOutputs: [trimtab.truncateOldToolOutputs, history, 9, { maxToolOutputAge: 0 }],
  validate: [trimtab.validate, [...history, { role: 'tool', tool_call_id: 'b', content: 'x' }], {}],
}

function recallOne(messages: never, range: never): unknown {
  return trimtab.recall(messages, REFERENCE, range)
}
const REFERENCE =
  /recall (\w+)/.exec(
    trimtab.project(history, { age: { maxToolOutputAge: 0 }, recall: true }, { currentStep: 9 }).report
      .edits[0]?.text ?? '',
  )?.[1] ?? '00000000'

const OF_RECIPES: Record<string, MethodCall> = {
  clearToolUses: [recipes.clearToolUses, history, { trigger: { type: 'tool_uses', value: 0 } }],
  compose: [(messages) => recipes.compose(recipes.dedupeFileReads())(messages), history],
  createResultTracker: [() => recipes.createResultTracker()],
  createRollingContextCommand: [recipes.createRollingContextCommand, { load: () => ({}), save: () => {} }],
  createTruncatedPlaceholder: [recipes.createTruncatedPlaceholder, history[2], {}],
  dedupeFileReads: [(messages) => recipes.dedupeFileReads()(messages), history],
  extractKeyInfo: [recipes.extractKeyInfo, 'x', 'bash'],
  getActiveFiles: [recipes.getActiveFiles, history, 2, {}],
  hideToolArgs: [(messages) => recipes.hideToolArgs(64)(messages), history],
  keepRecentToolResults: [(messages) => recipes.keepRecentToolResults(0)(messages), history],
  processToolResult: [
    recipes.processToolResult,
    {
      toolCall: { id: 'a', function: { name: 'x', arguments: { b: [1] } } },
      result: { content: { a: [1] }, error: 'x' },
    },
  ],
  rollingContextPolicy: [recipes.rollingContextPolicy, {}],
  shouldPreserveFileContent: [recipes.shouldPreserveFileContent, { path: 'a', lastAccessStep: 1 }, 2, {}],
  shouldTruncateToolResult: [recipes.shouldTruncateToolResult, history[2], 3, {}],
  smartToolRetention: [(messages) => recipes.smartToolRetention()(messages), history],
  summarizeToolOutput: [recipes.summarizeToolOutput, history[2], {}],
  truncateOutput: [recipes.truncateOutput, 'x', {}],
  truncateToolResults: [(messages) => recipes.truncateToolResults(10)(messages), history],
}

const OF_FILES: Record<string, MethodCall> = {
  appendToFile: [files.appendToFile, 'a', { path: 'a', text: 'b' }],
  prependToFile: [files.prependToFile, 'a', { path: 'a', text: 'b' }],
  editFile: [files.editFile, 'a', { path: 'a', oldString: 'a', newString: 'b' }],
  updateSection: [files.updateSection, '# a\n', { path: 'a', header: 'a', text: 'b' }],
  formatRead: [files.formatRead, { path: 'a', content: 'x' }],
  formatReads: [
    files.formatReads,
    {
      files: [
        { path: 'a', content: 'x' },
        { path: 'b', content: 'y' },
      ],
    },
  ],
  readTokenLimit: [files.readTokenLimit, { contextSize: 100000 }],
  Reads: [(saved) => new workspaces.Reads(saved), { 'a.ts': 'a'.repeat(64) }],
  createWorkspace: [workspaces.createWorkspace, { memory: { 'a.ts': 'x' } }],
  fileStore: [(folder) => sessions.fileStore({ folder, fs: new MemoryFs().fs as never }), '/sessions'],
  memoryStore: [() => sessions.memoryStore()],
  unstorageStore: [sessions.unstorageStore, { storage: createStorage() }],
  migrateSession: [sessions.migrateSession, { messages: history }],
  saveSession: [(session) => sessions.saveSession(sessions.memoryStore(), 'a', session), session],
  'saveSession, twice': [
    savedTwice,
    { ...session, history: [...history, { role: 'user', content: 'more' }] },
  ],
  loadSession: [loaded, 'a'],
  createFileReader: [reading.createFileReader, {}],
  curatorPrompt: [reading.curatorPrompt, { ...file, conversation: [{ role: 'user', text: 'x' }] }],
  expand: [reading.expand, { ...file, section: 'f' }],
  readFile: [reading.readFile, { ...file, conversation: [{ role: 'user', text: 'x' }] }],
  readFileEvents: [eventsOf, file],
  parseCuration: [
    reading.parseCuration,
    '{"line_ranges":[{"start":1,"end":2,"reason":"x"}],"summary":"s"}',
    9,
  ],
  conversationOf: [reading.conversationOf, history, {}],
  createIndex: [index.createIndex, {}],
  createReadDigests: [index.createReadDigests, index.createIndex(), {}],
  detectLanguage: [outlines.detectLanguage, 'a.ts', 'x'],
  outline: [outlines.outline, 'a.txt', 'x', {}],
  loadGrammar: [outlines.loadGrammar, 'text', {}],
  loadEncoding: [
    encodings.createEncoding,
    { vocabulary: `${bytes.join('')}YWI= 256\n`, pattern: '\\w+', special: { '<a>': 300 } },
  ],
  createEncoding: [encodings.createEncoding, { vocabulary: `${bytes.join('')}YWI= 256\n`, pattern: '\\w+' }],
}

async function savedTwice(session: never): Promise<unknown> {
  const store = sessions.memoryStore()
  await sessions.saveSession(store, 'a', { history, format: 'openai-chat' })
  return sessions.saveSession(store, 'a', session)
}
async function loaded(id: never): Promise<unknown> {
  const store = sessions.memoryStore()
  await sessions.saveSession(store, 'a', { history })
  return sessions.loadSession(store, id)
}
async function eventsOf(options: never): Promise<unknown> {
  const events = []
  for await (const event of reading.readFileEvents(options)) events.push(event)
  return events
}

const FORMATS = ['anthropic', 'openai-responses', 'gemini', 'ai-sdk', 'ai-sdk-ui', 'langchain'] as const
const CONVERTED: Record<string, MethodCall> = Object.fromEntries(
  FORMATS.flatMap((format): [string, MethodCall][] => {
    const { messages } = formats.convertMessages(history, format)
    return [
      [`convertMessages, to ${format}`, [formats.convertMessages, history, format, { system: 'x' }]],
      [`convertMessages, from ${format}`, [formats.convertMessages, messages, 'openai-chat', {}]],
      [
        `project, of ${format}`,
        [trimtab.project, messages, { age: { maxToolOutputAge: 0 } }, { currentStep: 9 }],
      ],
      [`fileStateAt, of ${format}`, [timeline.fileStateAt, messages, 'a.ts', {}]],
    ]
  }),
)

const OF_HISTORIES: Record<string, MethodCall> = {
  convertMessages: [formats.convertMessages, history, 'anthropic', {}],
  addToolResults: [tools.addToolResults, open, [answer], {}],
  createReadLinesTool: [
    (args) =>
      tools.createReadLinesTool(workspaces.createWorkspace({ memory: { 'a.ts': 'x' } })).execute(args),
    { path: 'a.ts', start: 1, end: 2 },
  ],
  createReadTool: [
    (args) => tools.createReadTool(workspaces.createWorkspace({ memory: { 'a.ts': 'x' } })).execute(args),
    { file_paths: ['a.ts'] },
  ],
  createTools: [(options) => tools.createTools(workspaces.createWorkspace({ memory: {} }), options), {}],
  openToolCalls: [tools.openToolCalls, open, {}],
  runToolCall: [
    tools.runToolCall,
    [
      {
        name: 'x',
        description: '',
        parameters: {},
        execute: () => ({ content: 'x', isError: false, ephemeral: false }),
      },
    ],
    { name: 'x', arguments: { a: [1] } },
  ],
  toolResultMessage: [tools.toolResultMessage, answer, { format: 'openai-chat' }],
  toolResultMessages: [tools.toolResultMessages, [answer], { format: 'anthropic' }],
  withoutMetadata: [tools.withoutMetadata, [...history, { role: 'user', content: 'x', metadata: {} }]],
  changelog: [timeline.changelog, history, {}],
  compressEdits: [timeline.compressEdits, history, {}],
  fileEdits: [timeline.fileEdits, history, { path: 'a.ts' }],
  fileStateAt: [timeline.fileStateAt, history, 'a.ts', { moment: { step: 1 } }],
  fileStates: [timeline.fileStates, history, {}],
  indexReads: [
    (messages, options) => timeline.indexReads(index.createIndex(), messages, options),
    history,
    {},
  ],
  compact: [compaction.compact, history, { threshold: 0, keepRecentMessages: 1 }],
  compactionPrompt: [compaction.compactionPrompt, history, {}],
  contextWarning: [compaction.contextWarning, 0.5],
  createContextMonitor: [compaction.createContextMonitor, { window: 100 }],
  isSummary: [compaction.isSummary, history[0]],
  shouldCompact: [compaction.shouldCompact, history, { threshold: 1 }],
}

const OF_TOKENS: Record<string, MethodCall> = {
  TokenMeter: [(view, options) => new tokens.TokenMeter(options).tokens(view), history, { calibration }],
  calibrate: [tokens.calibrate, calibration, { estimated: bySource, reported: 9 }],
  calibrateSession: [tokens.calibrateSession, history, usage, {}],
  calibratedTokens: [tokens.calibratedTokens, calibration, bySource],
  countMessages: [tokens.countMessages, history, { counter: (text: string) => text.length }],
  estimateMessages: [tokens.estimateMessages, history, {}],
  estimateTokens: [tokens.estimateTokens, 'x'],
  messageCounter: [
    (messages) => tokens.messageCounter((text) => text.length)(messages, 'openai-chat'),
    history,
  ],
  readUsage: [
    tokens.readUsage,
    { input_tokens: 1, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } },
  ],
  reportedTokens: [tokens.reportedTokens, { messages: history, format: 'openai-chat', usage }, {}],
  cheapestPolicy: [(simulation) => void money.cheapestPolicy(simulation), { policies: simulated }],
  combineSimulations: [money.combineSimulations, [simulation, simulation]],
  diagnose: [money.diagnose, requests, {}],
  diagnoseSession: [money.diagnoseSession, { messages: history, format: 'openai-chat', usage }],
  evidenceShare: [money.evidenceShare, (simulated[0] as { evidence: object }).evidence],
  keepWarmSeconds: [money.keepWarmSeconds, prices, {}],
  priceWarning: [money.priceWarning, new Date(0)],
  pricesOf: [money.pricesOf, 'gpt-5'],
  requestCost: [money.requestCost, { cached: 1, written: 2, output: 3 }, prices],
  simulate: [
    money.simulate,
    history,
    { rolling: { age: { maxToolOutputAge: 0 } } },
    { prices, times: [1, 2, 3, 4], system: 'x' },
  ],
  simulationPicture: [money.simulationPicture, simulation, {}],
  tune: [money.tune, [{ messages: history, times: [1, 2, 3, 4] }], { candidates: { off: {} }, prices }],
  tuneCandidates: [money.tuneCandidates, { window: 200_000 }],
  tuningPicture: [money.tuningPicture, tuning],
  readTranscript: [transcripts.readTranscript, JSON.stringify(history), {}],
  readRequests: [transcripts.readRequests, JSON.stringify(requests), {}],
  writeTranscript: [transcripts.writeTranscript, history, { kind: 'claude-code' }],
  ...Object.fromEntries(
    (['codex', 'pi', 'swe-agent', 'saved-session', 'gemini-messages'] as const).map((kind) => [
      `writeTranscript, ${kind}`,
      [transcripts.writeTranscript, history, { kind }],
    ]),
  ),
}

const policy = { clip: { max: 9000 } }
const OF_ADAPTERS: Record<string, MethodCall> = {
  'trimtab/ai-sdk.trimtab': [aiSdk.trimtab, policy, {}],
  'trimtab/langchain.trimtab': [langchain.trimtab, policy, {}],
  'trimtab/openai-agents.trimtab': [agents.trimtab, policy, {}],
  toResponsesItems: [agents.toResponsesItems, formats.convertMessages(history, 'openai-responses').messages],
  'trimtab/tanstack.trimtab': [tanstack.trimtab, policy, {}],
  'trimtab/opencode.trimtab': [opencode.trimtab, policy, { tool }],
  'trimtab/pi.trimtab': [pi.trimtab, policy, {}],
  'trimtab/cline.trimtab': [cline.trimtab, policy, {}],
  'trimtab/claude-agent.trimtab': [claudeAgent.trimtab, policy, { z }],
  'trimtab/copilot.trimtab': [copilot.trimtab, policy, {}],
  'trimtab/mastra.trimtab': [mastra.trimtab, policy, {}],
}

export const EXPORT_CALLS: Record<string, MethodCall> = {
  ...CORE,
  ...OF_RECIPES,
  ...OF_FILES,
  ...OF_HISTORIES,
  ...CONVERTED,
  ...OF_TOKENS,
  ...OF_ADAPTERS,
}

/** Functions that take nothing of a host, or need another environment. */
export const NOT_CALLED: Record<string, string> = {
  TrimtabError: 'an error',
  definePanel: 'needs a page',
  indexedDbStore: 'there is no IndexedDB in Node',
}
