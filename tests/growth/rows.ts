// Calls of every function of the package with input of size n, by the function's name in the declarations.

import {
  Context,
  cacheAware,
  cleanupEphemeralMessages,
  dedupeToolResults,
  inspect,
  loadPolicy,
  MessageThread,
  type Policy,
  project,
  readMessages,
  recall,
  repair,
  rollingContext,
  toContextManagement,
  truncateOldToolOutputs,
  validate,
} from 'trimtab'
import * as aiSdk from 'trimtab/ai-sdk'
import * as compaction from 'trimtab/compaction'
import * as files from 'trimtab/files'
import { convertMessages } from 'trimtab/formats'
import * as index from 'trimtab/index'
import * as langchain from 'trimtab/langchain'
import * as mastra from 'trimtab/mastra'
import * as money from 'trimtab/money'
import * as agents from 'trimtab/openai-agents'
import * as outlines from 'trimtab/outline'
import * as reading from 'trimtab/reading'
import * as recipes from 'trimtab/recipes'
import * as sessions from 'trimtab/sessions'
import * as tanstack from 'trimtab/tanstack'
import * as timeline from 'trimtab/timeline'
import * as tokens from 'trimtab/tokens'
import * as tools from 'trimtab/tools'
import * as transcripts from 'trimtab/transcripts'
import * as workspaces from 'trimtab/workspace'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import { HISTORIES } from './histories.js'
import {
  answers,
  CHAT,
  code,
  fileMap,
  fileNames,
  grammar,
  histories,
  markdown,
  OF_FILES,
  ofText,
  one,
  patient,
  policies,
  prices,
  projected,
  type Rows,
  replayed,
  requests,
  runOf,
  SHAPES,
  tool,
  toolMessage,
  usages,
} from './inputs.js'
import { plainStorage } from './plain-storage.js'
import { PLUGIN_ROWS } from './plugin-rows.js'
export const ROWS: Record<string, Rows> = {
  ...PLUGIN_ROWS,
  project: {
    ...projected(policies),
    ...projected(policies, ['slices', 'backwards', 'files']),
    ...projected({ cacheAware }, ['failures']),
    ...projected(patient, ['steps']),
  },
  // Ten requests, whatever the length of the history: each may examine all of it.
  Context: {
    ...histories((messages) => runOf(cacheAware(), messages, Math.ceil(messages.length / 10)).toJSON()),
    'from JSON': (n) => {
      const messages = HISTORIES.steps(n)
      const saved = runOf(rollingContext(), messages, Math.ceil(messages.length / 10)).toJSON()
      return () => Context.fromJSON(saved).project(messages).report.edits
    },
  },
  MessageThread: histories(
    (messages) => new MessageThread(new Context(rollingContext())).project(messages),
    ['blocks'],
  ),
  cleanupEphemeralMessages: histories((messages) => cleanupEphemeralMessages(messages)),
  dedupeToolResults: histories((messages) => dedupeToolResults(messages)),
  inspect: histories((messages) => inspect(messages), [...SHAPES, 'slices', 'backwards']),
  loadPolicy: one((n) => {
    const paths = fileNames(n)
    return () => loadPolicy({ protect: { paths, tools: paths } })
  }),
  readMessages: histories((messages) => readMessages(messages), [...SHAPES, 'slices', 'backwards']),
  recall: histories((messages) => {
    const { report } = project(messages, { age: { maxToolOutputAge: 0 }, recall: true })
    const reference = /recall (\w+)/.exec(report.edits[0]?.text ?? '')?.[1]
    return reference === undefined ? undefined : recall(messages, reference)
  }),
  repair: {
    ...histories((messages) => repair(messages)),
    ...Object.fromEntries(
      Object.entries(histories((messages) => repair(messages.filter((_, i) => i % 5 !== 2)), CHAT)).map(
        ([shape, row]) => [`damaged ${shape}`, row],
      ),
    ),
  },
  validate: {
    ...histories((messages) => validate(messages)),
    ...Object.fromEntries(
      Object.entries(histories((messages) => validate(messages.filter((_, i) => i % 5 !== 2)), CHAT)).map(
        ([shape, row]) => [`damaged ${shape}`, row],
      ),
    ),
  },
  toContextManagement: one((n) => {
    const excludeTools = fileNames(n)
    return () => toContextManagement({ clear: { excludeTools } } as Policy)
  }),
  truncateOldToolOutputs: histories((messages, n) => truncateOldToolOutputs(messages, n)),
  clearToolUses: histories((messages) =>
    recipes.clearToolUses(messages, { trigger: { type: 'input_tokens', value: 10 } }),
  ),
  compose: histories((messages) =>
    recipes.compose(recipes.dedupeFileReads(), recipes.truncateToolResults(500))(messages),
  ),
  // Adds one result: earlier ones are examined again, as for a view.
  createResultTracker: one((n) => {
    const tracker = recipes.createResultTracker()
    const add = (i: number) =>
      recipes.processToolResult({
        toolCall: { id: `c${i}`, name: 'x', arguments: '{}' },
        result: `result ${i % 9} `.repeat(9),
        tracker,
      } as never)
    for (let i = 0; i < n / 8; i++) add(i)
    return () => add(n)
  }),
  createTruncatedPlaceholder: ofText((text) => recipes.createTruncatedPlaceholder(toolMessage(text))),
  dedupeFileReads: histories((messages) => recipes.dedupeFileReads()(messages)),
  extractKeyInfo: {
    ...ofText((text) => recipes.extractKeyInfo(text, 'bash')),
    failures: (n) => {
      const text = Array.from(
        { length: n * 4 },
        (_, i) => `FAILED tests/test_${i}.py::test_${i} - Error: no ${i}`,
      )
      return () => recipes.extractKeyInfo(text.join('\n'), 'bash')
    },
  },
  getActiveFiles: histories((messages, n) => recipes.getActiveFiles(messages, n)),
  hideToolArgs: histories((messages) => recipes.hideToolArgs(64)(messages)),
  keepRecentToolResults: histories((messages) => recipes.keepRecentToolResults(3)(messages)),
  processToolResult: ofText((text) =>
    recipes.processToolResult({ toolCall: { id: 'a', name: 'bash' }, result: text } as never),
  ),
  shouldTruncateToolResult: ofText((text) => recipes.shouldTruncateToolResult(toolMessage(text), 9)),
  smartToolRetention: histories((messages) => recipes.smartToolRetention()(messages)),
  summarizeToolOutput: ofText((text) => recipes.summarizeToolOutput(toolMessage(text))),
  truncateOutput: ofText((text) => recipes.truncateOutput(text)),
  truncateToolResults: histories((messages) => recipes.truncateToolResults(100)(messages)),
  appendToFile: ofText((text) => files.appendToFile(text, { path: 'a', text: 'b' })),
  prependToFile: ofText((text) => files.prependToFile(text, { path: 'a', text: 'b' })),
  editFile: {
    ...ofText((text) => files.editFile(text, { path: 'a', oldString: 'line 7\n', newString: 'line 8\n' })),
    'replaceAll of many matches': (n) => {
      const text = 'a line\n'.repeat(n)
      return () => files.editFile(text, { path: 'a', oldString: 'line', newString: 'row', replaceAll: true })
    },
    'text not found': (n) => {
      const text = code(n)
      return () => files.editFile(text, { path: 'a', oldString: 'function g7(b)', newString: 'x' })
    },
  },
  updateSection: {
    'the last of n sections': (n) => {
      const text = markdown(n)
      return () => files.updateSection(text, { path: 'a', header: `Part ${n - 1}`, text: 'b' })
    },
    'one of n with the same name': (n) => {
      const text = '# A\n'.repeat(n)
      return () => files.updateSection(text, { path: 'a', header: 'A', text: 'b' })
    },
    'none, by a header of n words': (n) => {
      const text = '# A\n'.repeat(n)
      return () => files.updateSection(text, { path: 'a', header: `# ${'A '.repeat(n)}`, text: 'b' })
    },
    'none, by a path of n headings': (n) => {
      const text = '# A\n'.repeat(n)
      return () => files.updateSection(text, { path: 'a', header: 'A > '.repeat(n), text: 'b' })
    },
  },
  formatRead: ofText((text) => files.formatRead({ path: 'a', content: text })),
  formatReads: one((n) => {
    const list = fileNames(n).map((path) => ({ path, content: 'a\nb\n' }))
    return () => files.formatReads({ files: list })
  }),
  Reads: one((n) => {
    const saved = Object.fromEntries(fileNames(n).map((path) => [path, 'a'.repeat(64)]))
    return () => new workspaces.Reads(saved).toJSON()
  }),
  createWorkspace: one((n) => {
    const memory = fileMap(n)
    return async () => {
      const workspace = workspaces.createWorkspace({ memory })
      for (const path of Object.keys(memory)) await workspace.readFile(path)
    }
  }),
  saveSession: saving(() => sessions.memoryStore()),
  loadSession: loading(() => sessions.memoryStore()),
  memoryStore: saving(() => sessions.memoryStore()),
  fileStore: loading(() => sessions.fileStore({ fs: new MemoryFs().fs, folder: '/sessions' })),
  unstorageStore: loading(() => sessions.unstorageStore({ storage: plainStorage() })),
  migrateSession: histories((messages) => sessions.migrateSession({ history: messages })),
  convertMessages: Object.fromEntries(
    ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ai-sdk', 'ai-sdk-ui', 'langchain'].flatMap(
      (format) =>
        Object.entries(histories((messages) => convertMessages(messages, format as 'anthropic'))).map(
          ([shape, row]) => [`${shape} to ${format}`, row],
        ),
    ),
  ),
  addToolResults: one((n) => {
    const messages = HISTORIES.calls(n).slice(0, 2)
    return () => tools.addToolResults(messages, answers(n))
  }),
  openToolCalls: histories((messages) => tools.openToolCalls(messages.slice(0, 2))),
  toolResultMessage: ofText((text) =>
    tools.toolResultMessage(
      { call: { id: 'a', name: 'b' }, result: { content: text, isError: false, ephemeral: false } },
      { format: 'openai-chat' },
    ),
  ),
  toolResultMessages: one((n) => () => tools.toolResultMessages(answers(n), { format: 'anthropic' })),
  withoutMetadata: histories((messages) => tools.withoutMetadata(messages)),
  runToolCall: one((n) => {
    const many = fileNames(n).map((name) => ({ name, description: '', parameters: {}, execute: () => ({}) }))
    return () => tools.runToolCall(many as never, { name: 'x', arguments: '{}' })
  }),
  createReadTool: one((n) => {
    const source = workspaces.createWorkspace({ memory: { a: code(n) } })
    const read = tools.createReadTool(source)
    return () => read.execute({ file_paths: ['a'], limit: 20 } as never)
  }),
  createReadLinesTool: one((n) => {
    const source = workspaces.createWorkspace({ memory: { a: code(n) } })
    const read = tools.createReadLinesTool(source)
    return () => read.execute({ path: 'a', start: 1, end: 20 } as never)
  }),
  createTools: {
    list_files: (n) => tool('list_files', n, { glob: '**/*.ts' }),
    search: (n) => tool('search', n, { pattern: 'a = \\d' }),
    read_file: (n) => tool('read_file', n, { file_paths: ['big.md'] }),
    'read_file, many files': (n) => tool('read_file', 4 * n, { file_paths: fileNames(4 * n) }),
    edit_file: (n) => tool('edit_file', n, { path: 'big.md', old_string: 'Text 3.', new_string: 'x' }),
    update_section: (n) => tool('update_section', n, { path: 'big.md', header: 'Part 7', content: 'x' }),
    write_file: (n) => tool('write_file', n, { path: 'new.md', content: markdown(n) }),
  },
  changelog: histories((messages) => timeline.changelog(messages), OF_FILES),
  compressEdits: histories((messages) => timeline.compressEdits(messages), OF_FILES),
  fileEdits: histories((messages) => timeline.fileEdits(messages), OF_FILES),
  fileStateAt: histories((messages) => timeline.fileStateAt(messages, 'src/f3.ts'), OF_FILES),
  fileStates: histories((messages) => timeline.fileStates(messages), OF_FILES),
  indexReads: histories((messages) => timeline.indexReads(index.createIndex(), messages), OF_FILES),
  compact: histories(
    (messages) => compaction.compact(messages, { threshold: 0, keepRecentMessages: 1 }),
    OF_FILES,
  ),
  compactionPrompt: histories((messages) => compaction.compactionPrompt(messages)),
  shouldCompact: histories((messages) => compaction.shouldCompact(messages)),
  isSummary: one((n) => {
    const messages = HISTORIES.steps(n)
    return () => messages.map((message) => compaction.isSummary(message))
  }),
  conversationOf: histories((messages) => reading.conversationOf(messages)),
  createFileReader: one((n) => {
    const reader = reading.createFileReader()
    return () => reader.readFile({ path: 'a.ts', content: code(4 * n) })
  }),
  curatorPrompt: one((n) => () => reading.curatorPrompt({ path: 'a.ts', content: code(n) })),
  expand: one((n) => () => reading.expand({ path: 'a.ts', content: code(n), section: 'f7' })),
  // So many lines that the file is shown in full at no size.
  readFile: {
    structure: (n) => () => reading.readFile({ path: 'a.ts', content: code(4 * n) }),
    'one line': (n) => {
      const content = '@a class B{}'.repeat(4 * n)
      return () => reading.readFile({ path: 'a.ts', content, mode: 'structure' })
    },
    'by conversation': (n) => () =>
      reading.readFile({
        path: 'a.ts',
        content: code(4 * n),
        conversation: [{ role: 'user', text: 'How does f7 call f9, and what does it return?' }],
      }),
    curated: (n) => () =>
      reading.readFile({
        path: 'a.ts',
        content: code(4 * n),
        curator: () => ({
          content: JSON.stringify({
            line_ranges: Array.from({ length: n }, (_, i) => ({
              start: i * 4 + 1,
              end: i * 4 + 2,
              reason: 'why',
            })),
            summary: 's',
          }),
        }),
      } as never),
  },
  readFileEvents: one((n) => async () => {
    for await (const _ of reading.readFileEvents({ path: 'a.ts', content: code(4 * n) })) void _
  }),
  parseCuration: one((n) => {
    const text = JSON.stringify({
      line_ranges: Array.from({ length: n }, (_, i) => ({ start: i * 3 + 1, end: i * 3 + 2, reason: 'why' })),
      summary: 's',
    })
    return () => reading.parseCuration(text, n * 4)
  }),
  createIndex: {
    'add and query': (n) => () => {
      const files = index.createIndex()
      for (const path of fileNames(n)) files.add({ path, content: `const ${path.length} = walk(${path})\n` })
      files.query('walk const')
    },
    'a large file': (n) => () => {
      const files = index.createIndex()
      files.add({ path: 'a.ts', content: code(n) })
      files.digest('a.ts' as never, 'f7 a number')
    },
  },
  createReadDigests: histories((messages) => {
    const known = index.createIndex()
    timeline.indexReads(known, messages)
    index.createReadDigests(known).apply(project(messages, rollingContext()))
  }),
  TokenMeter: histories((messages) => {
    const meter = new tokens.TokenMeter()
    for (let i = 1; i <= 10; i++) meter.tokens(messages.slice(0, Math.ceil((messages.length * i) / 10)))
  }),
  calibrateSession: histories((messages) => tokens.calibrateSession(messages, usages(messages)), ['steps']),
  reportedTokens: histories(
    (messages) => tokens.reportedTokens({ messages, format: 'openai-chat', usage: usages(messages) }),
    ['steps'],
  ),
  countMessages: histories((messages) =>
    tokens.countMessages(messages, { counter: (text: string) => text.length } as never),
  ),
  estimateMessages: histories((messages) => tokens.estimateMessages(messages)),
  estimateTokens: ofText((text) => tokens.estimateTokens(text)),
  messageCounter: histories((messages) => {
    const counter = tokens.messageCounter((text) => text.length)
    counter(messages, inspect(messages).format)
  }),
  // The cheapest plan is cubic in the requests (1,000 at most), and is left out here. A view of each request holds all
  // messages before it: the work for each of these is small, and does not show next to the work done once per message.
  simulate: {
    ...histories((messages) => replayed(messages, { cacheAware: cacheAware(), off: {} }), OF_FILES),
    'edits, notes': (n) => {
      const messages = HISTORIES.edits(n)
      return () => replayed(messages, { edits: { edits: true }, late: { edits: true, clearAtLeast: 20_000 } })
    },
    ...Object.fromEntries(
      Object.entries(
        histories((messages) =>
          replayed(messages, { rolling: rollingContext(), clear: policies.clearOldToolUses?.() ?? {} }),
        ),
      ).map(([shape, row]) => [`${shape}, other policies`, row]),
    ),
  },
  cheapestPolicy: one((n) => {
    const [policy] = replayed(HISTORIES.steps(4), { off: {} }).policies
    const policies = Array.from({ length: n }, () => policy as NonNullable<typeof policy>)
    return () => money.cheapestPolicy({ policies })
  }),
  combineSimulations: one((n) => {
    const small = replayed(HISTORIES.steps(4), { off: {} })
    return () => money.combineSimulations(Array.from({ length: n }, () => small))
  }),
  simulationPicture: histories(
    (messages) => {
      money.simulationPicture(replayed(messages, { off: {} }))
    },
    ['steps'],
  ),
  tune: one((n) => {
    const messages = HISTORIES.steps(n)
    return () =>
      money.tune([{ messages }], { prices, candidates: { off: {}, rolling: rollingContext() } } as never)
  }),
  tuningPicture: one((n) => {
    const messages = HISTORIES.steps(n)
    return async () =>
      money.tuningPicture(
        (await money.tune([{ messages }], {
          prices,
          candidates: { off: {}, rolling: rollingContext() },
        } as never)) as never,
      )
  }),
  diagnose: one((n) => {
    const list = requests(n)
    return () => money.diagnose(list)
  }),
  diagnoseSession: histories(
    (messages) =>
      money.diagnoseSession({ messages, format: 'openai-chat', usage: usages(messages) } as never),
    ['steps'],
  ),
  readTranscript: histories((messages) => transcripts.readTranscript(JSON.stringify(messages))),
  writeTranscript: Object.fromEntries(
    (['claude-code', 'codex', 'pi', 'swe-agent', 'saved-session', 'gemini-messages'] as const).flatMap(
      (kind) =>
        Object.entries(histories((messages) => transcripts.writeTranscript(messages, { kind }))).map(
          ([shape, row]) => [`${shape} as ${kind}`, row],
        ),
    ),
  ),
  readRequests: one((n) => {
    const text = requests(n)
      .map(({ body, response }) => JSON.stringify({ request: body, response }))
      .join('\n')
    return () => transcripts.readRequests(text)
  }),
  'trimtab/ai-sdk.trimtab': one((n) => {
    const messages = convertMessages(HISTORIES.steps(n), 'ai-sdk').messages
    return () => aiSdk.trimtab().view(messages as never)
  }),
  'trimtab/langchain.trimtab': one((n) => {
    const messages = convertMessages(HISTORIES.steps(n), 'langchain').messages
    return () =>
      langchain
        .trimtab()
        .middleware.wrapModelCall({ messages: messages as object[], model: {} }, () => ({}) as never)
  }),
  'trimtab/mastra.trimtab': one((n) => {
    const prompt = convertMessages(HISTORIES.steps(n), 'ai-sdk').messages
    return () => mastra.trimtab().processor.processLLMRequest({ prompt, model: {}, state: {} } as never)
  }),
  'trimtab/tanstack.trimtab': one((n) => {
    const messages = HISTORIES.steps(n)
    return () =>
      tanstack
        .trimtab()
        .middleware.onConfig({ messages, phase: 'beforeModel' } as never, { messages } as never)
  }),
  'trimtab/openai-agents.trimtab': one((n) => {
    const input = convertMessages(HISTORIES.steps(n), 'openai-responses').messages
    const model = agents.trimtab().model({ getResponse: () => ({}) } as never) as never as {
      getResponse(request: object): Promise<unknown>
    }
    return () => model.getResponse({ input })
  }),
  toResponsesItems: one((n) => {
    const items = convertMessages(HISTORIES.steps(n), 'openai-responses').messages
    return () => agents.toResponsesItems(items)
  }),
  detectLanguage: ofText((text) => outlines.detectLanguage('a', text)),
  outline: {
    text: (n) => () => outlines.outline('a', code(n)),
    markdown: (n) => () => outlines.outline('a.md', markdown(n)),
  },
  loadGrammar: {
    typescript: (n) => async () => (await grammar).outline(code(n)),
    'deep nesting': (n) => async () => (await grammar).outline(`${'{\n'.repeat(n)}${'}\n'.repeat(n)}`),
  },
}

/** Rows that append to a session in ten turns. */
function saving(makeStore: () => sessions.SessionStore): Rows {
  return histories(async (messages) => {
    const store = makeStore()
    for (let i = 1; i <= 10; i++)
      await sessions.saveSession(store, 'a', {
        history: messages.slice(0, Math.ceil((messages.length * i) / 10)),
      })
  })
}

function loading(makeStore: () => sessions.SessionStore): Rows {
  return histories(async (messages) => {
    const store = makeStore()
    await sessions.saveSession(store, 'a', { history: messages })
    await sessions.loadSession(store, 'a')
  })
}

/** Functions without an input that grows, and why. */
export const FIXED: Record<string, string> = {
  TrimtabError: 'an error',
  cacheAware: 'settings to a policy',
  clearOldToolUses: 'settings to a policy',
  off: 'a policy',
  definePanel: 'a name',
  rollingContext: 'settings to a policy',
  smartRetention: 'settings to a policy',
  rollingContextPolicy: 'settings to a policy',
  recallTool: 'a description',
  createRollingContextCommand: 'a line that a person typed',
  shouldPreserveFileContent: 'one reference',
  readTokenLimit: 'a few numbers',
  contextWarning: 'a number',
  createContextMonitor: 'a number at each step',
  calibrate: 'a few numbers',
  calibratedTokens: 'a few numbers',
  readUsage: 'the fields of a report',
  requestCost: 'a few numbers',
  evidenceShare: 'a few numbers',
  keepWarmSeconds: 'a few numbers',
  priceWarning: 'a date',
  pricesOf: 'a name',
  tuneCandidates: 'settings to policies',
  indexedDbStore: 'there is no IndexedDB in Node; it keeps records as unstorageStore does',
  loadEncoding: 'a file of the package; what it counts is measured by `npm run bench -- tokens`',
  createEncoding: 'a vocabulary, which is read once',
}
