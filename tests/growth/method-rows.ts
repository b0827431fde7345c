// Calls of the methods of what the package's functions return, with input of size n, by the method's name in the
// declarations.
import {
  type BlockFacts,
  Context,
  MessageThread,
  type NeutralHistory,
  project,
  readMessages,
  rollingContext,
} from 'trimtab'
import { createContextMonitor } from 'trimtab/compaction'
import { createEncoding } from 'trimtab/encodings/custom'
import { createIndex, createReadDigests } from 'trimtab/index'
import { createFileReader } from 'trimtab/reading'
import { createResultTracker } from 'trimtab/recipes'
import { fileStore, memoryStore, type SessionStore, saveSession, unstorageStore } from 'trimtab/sessions'
import { TokenMeter } from 'trimtab/tokens'
import { createWorkspace, Reads, type Workspace } from 'trimtab/workspace'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import { ADAPTER_METHOD_ROWS } from './adapter-method-rows.js'
import { countingWasm } from './counting-wasm.js'
import { HISTORIES } from './histories.js'
import { code, fileMap, fileNames, histories, markdown, one, type Row, type Rows, SHAPES } from './inputs.js'
import { plainStorage } from './plain-storage.js'

/** Clears every result at once, and names what was cleared. */
const CLEARING = { age: { maxToolOutputAge: 0 }, recall: true }

/** A Context that has seen a history, and a reference to one of its results. */
function cleared(messages: object[]): { context: Context; reference: string } {
  const context = new Context(CLEARING)
  const { report } = context.project(messages)
  return { context, reference: /recall (\w+)/.exec(report.edits[0]?.text ?? '')?.[1] ?? '00000000' }
}

/** Rows for a call on a Context that has seen all but the last message of a history. */
const onContext = (call: (context: Context, messages: object[], reference: string) => unknown): Rows =>
  Object.fromEntries(
    SHAPES.map((shape) => [
      shape,
      (n) => {
        const messages = HISTORIES[shape](n)
        const { context, reference } = cleared(messages)
        return () => call(context, messages, reference)
      },
    ]),
  )

/** Rows for calls on a neutral history, for each of its blocks. */
const onBlocks = (call: (history: NeutralHistory, block: BlockFacts) => unknown): Rows =>
  histories((messages) => {
    const history = readMessages(messages)
    for (const block of history.blocks()) call(history, block)
  })

const indexed = (n: number) => {
  const index = createIndex()
  for (const path of fileNames(n)) index.add({ path, content: `const ${path.length} = walk(${path})\n` })
  return index
}

/** Rows for a call for one of n files. */
const onIndex = (call: (index: ReturnType<typeof createIndex>, path: string) => unknown): Rows =>
  one((n) => {
    const index = indexed(n)
    const [path = ''] = fileNames(1)
    return () => call(index, path)
  })

const STORES: Record<string, () => SessionStore> = {
  memory: () => memoryStore(),
  file: () => fileStore({ fs: new MemoryFs().fs, folder: '/sessions' }),
  unstorage: () => unstorageStore({ storage: plainStorage() }),
}
/** Rows for a call on each store. */
const onStores = (prepare: (store: SessionStore, n: number) => ReturnType<Row>): Rows =>
  Object.fromEntries(Object.entries(STORES).map(([name, make]) => [name, (n) => prepare(make(), n)])) as Rows

/** A session of n steps that was saved in ten turns. */
async function grown(store: SessionStore, n: number): Promise<void> {
  const messages = HISTORIES.steps(n)
  for (let i = 1; i <= 10; i++)
    await saveSession(store, 'a', { history: messages.slice(0, Math.ceil((messages.length * i) / 10)) })
}

const calls = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: `c${i}`, name: 'x', arguments: '{}' }))

const thread = (n: number) => {
  const made = new MessageThread(new Context(rollingContext()))
  made.project(HISTORIES.blocks(n))
  return made
}

const bytes = Array.from({ length: 256 }, (_, i) => `${Buffer.from([i]).toString('base64')} ${i}\n`)
const encoding = createEncoding({
  vocabulary: `${bytes.join('')}YWI= 256\n`,
  pattern: '\\w+| ',
  source: countingWasm('encodings/custom'),
})

async function walked(workspace: Workspace): Promise<void> {
  for await (const _ of workspace.walk());
}

const filesIn = (n: number) => createWorkspace({ memory: fileMap(n) })

export const METHOD_ROWS: Record<string, Rows> = {
  ...ADAPTER_METHOD_ROWS,
  'Context.project': {
    // A view after the first one.
    ...onContext((context, messages) => context.project([...messages])),
    'of another conversation': (n) => {
      const { context } = cleared(HISTORIES.steps(n))
      const other = HISTORIES.talk(n)
      return () => context.project(other)
    },
  },
  'Context.recall': onContext((context, _, reference) => recalled(() => context.recall(reference))),
  'Context.answerRecall': onContext((context, _, reference) => context.answerRecall({ reference })),
  'Context.endTurn': onContext((context, messages) => context.endTurn(messages)),
  'Context.usage': onContext((context, messages) => context.usage(messages)),
  'Context.toJSON': onContext((context) => JSON.stringify(context)),
  'Context.onView': onContext((context, messages) => {
    const stop = context.onView(({ report }) => report.edits.length)
    context.project(messages)
    stop()
  }),
  'Context.calibrate': onContext((context) => {
    context.calibrate({ input_tokens: 100, output_tokens: 5 })
  }),
  'Context.[dispose]': onContext((context) => context[Symbol.dispose]()),
  'Context.fromJSON': onContext((context, messages) =>
    Context.fromJSON(JSON.parse(JSON.stringify(context))).project(messages),
  ),
  'LiveReport.explain': histories((messages) => {
    const { report } = project(messages, CLEARING)
    report.explain(Math.floor(messages.length / 2))
  }),
  'MessageThread.answered': one((n) => {
    const made = thread(n)
    return () =>
      made.answered({
        id: 'm',
        role: 'assistant',
        content: [{ type: 'text', text: 'x' }],
        usage: { input_tokens: 10, output_tokens: 1 },
      } as never)
  }),
  'MessageThread.lost': one((n) => {
    const made = thread(n)
    return () => {
      made.lost()
      made.project(HISTORIES.blocks(n))
    }
  }),
  'NeutralHistory.argumentsOf': onBlocks((history, block) => history.argumentsOf(block)),
  'NeutralHistory.blocks': onBlocks(() => {}),
  'NeutralHistory.callOf': onBlocks((history, block) => history.callOf(block)),
  'NeutralHistory.resultOf': onBlocks((history, block) => history.resultOf(block)),
  'NeutralHistory.saidIn': histories((messages) => {
    const history = readMessages(messages)
    for (const at of messages.keys()) history.saidIn(at)
  }),
  'NeutralHistory.textOf': onBlocks((history, block) => history.textOf(block)),
  'TokenMeter.report': histories((messages) => {
    const meter = new TokenMeter()
    for (let i = 1; i <= 10; i++)
      meter.report(messages.slice(0, Math.ceil((messages.length * i) / 10)), { input: 100 * i, output: 5 })
  }),
  'Encoding.count': one(async (n) => {
    const it = await encoding
    return () => it.count('ab a b '.repeat(n * 10))
  }),
  'Encoding.encode': {
    words: async (n) => {
      const it = await encoding
      return () => it.encode('ab a b '.repeat(n * 10))
    },
    'one word': async (n) => {
      const it = await encoding
      return () => it.encode('ab'.repeat(n * 10))
    },
  },
  'Encoding.decode': one(async (n) => {
    const it = await encoding
    return () => it.decode(Array.from({ length: n * 20 }, (_, i) => 97 + (i % 4)))
  }),
  'ContextMonitor.check': one((n) => {
    const monitor = createContextMonitor()
    return () => {
      for (let i = 0; i < n; i++) monitor.check(i * 1000)
    }
  }),
  'ResultTracker.track': one((n) => {
    const tracker = trackerOf(n)
    return () => {
      tracker.track({ id: 'last', name: 'x', arguments: '{}' }, 'result '.repeat(9))
    }
  }),
  'ResultTracker.skip': one((n) => {
    const tracker = trackerOf(n)
    return () => tracker.skip({ id: 'last', name: 'x', arguments: '{}' })
  }),
  'ResultTracker.follow': one((n) => {
    const tracker = trackerOf(n)
    const view = project(HISTORIES.steps(n), rollingContext())
    return () => tracker.follow(view.messages)
  }),
  'Workspace.list': one((n) => {
    const workspace = filesIn(n)
    return () => workspace.list()
  }),
  'Workspace.walk': {
    'n files': (n) => {
      const workspace = filesIn(n)
      return () => walked(workspace)
    },
    // A path has at most 4,096 bytes, and is encoded to count them if it may have more.
    'n/2 folders deep': (n) => {
      const path = Array.from({ length: n / 2 }, () => 'd').join('/')
      const workspace = createWorkspace({ memory: { [path]: '' } })
      return () => walked(workspace)
    },
  },
  'Workspace.stat': one((n) => {
    const workspace = filesIn(n)
    return async () => {
      for (const path of fileNames(n)) await workspace.stat(path)
    }
  }),
  'Workspace.writeFile': {
    'beside n files': (n) => {
      const workspace = filesIn(n)
      return () => workspace.writeFile('new.ts', 'const a = 1\n')
    },
    'a long file': (n) => {
      const workspace = createWorkspace({ memory: {} })
      return () => workspace.writeFile('a.ts', code(n))
    },
    'n files': (n) => {
      const workspace = createWorkspace({ memory: {} })
      return async () => {
        for (const path of fileNames(n)) await workspace.writeFile(path, 'const a = 1\n')
      }
    },
  },
  'Workspace.remove': one((n) => {
    const workspace = filesIn(n)
    return async () => {
      for (const path of fileNames(n)) await workspace.remove(path)
    }
  }),
  'Reads.set': one((n) => () => {
    const reads = new Reads()
    for (const path of fileNames(n)) reads.set(path, 'a'.repeat(64))
  }),
  'Reads.digest': one((n) => {
    const reads = readsOf(n)
    return () => fileNames(n).map((path) => reads.digest(path))
  }),
  'Reads.delete': one((n) => {
    const reads = readsOf(n)
    return () => {
      for (const path of fileNames(n)) reads.delete(path)
    }
  }),
  'FileReader.expand': one((n) => {
    const reader = createFileReader()
    return () => reader.expand({ path: 'a.md', content: markdown(n), section: 'Part 7' })
  }),
  'FileIndex.add': {
    'a file again': (n) => {
      const index = indexed(n)
      return () => index.add({ path: fileNames(1)[0] ?? '', content: 'const b = walk(c)\n' })
    },
    'many sections': (n) => {
      const sections = Array.from({ length: n }, (_, i) => ({
        name: `f${i}`,
        kind: 'function',
        startLine: i * 4 + 1,
        endLine: i * 4 + 3,
      }))
      return () => createIndex().add({ path: 'a.ts', content: code(n), sections } as never)
    },
  },
  'FileIndex.content': onIndex((index, path) => index.content(path)),
  'FileIndex.digest': onIndex((index, path) => index.digest(path as never, 'walk')),
  'FileIndex.has': onIndex((index, path) => index.has(path)),
  'FileIndex.lines': onIndex((index, path) => index.lines(path)),
  'FileIndex.sections': onIndex((index, path) => index.sections(path)),
  'FileIndex.remove': onIndex((index, path) => index.remove(path)),
  'FileIndex.query': one((n) => {
    const index = indexed(n)
    return () => index.query('walk const f7', { budget: { lines: n } })
  }),
  'FileIndex.paths': one((n) => {
    const index = indexed(n)
    return () => index.paths()
  }),
  'FileIndex.[dispose]': one((n) => {
    const index = indexed(n)
    return () => index[Symbol.dispose]()
  }),
  'FileIndex.queryWithVectors': one((n) => {
    const embed = (texts: readonly string[]) => texts.map((text) => [text.length, 1])
    const index = createIndex({ embed } as never)
    for (const path of fileNames(n)) index.add({ path, content: `const ${path.length} = walk(${path})\n` })
    return () => index.queryWithVectors('walk const')
  }),
  'ReadDigests.toJSON': histories((messages) => {
    const digests = createReadDigests(createIndex())
    digests.apply(project(messages, rollingContext()))
    return JSON.stringify(digests)
  }),
  'SessionStore.append': onStores((store, n) => async () => {
    // As many entries as a session has before it is written anew, of size n.
    let version = (await store.replace('a', '{}')).version
    for (let i = 0; i < 10; i++)
      version = (await store.append('a', `"${'x'.repeat(n * 100)}"`, version)).version
  }),
  'SessionStore.read': onStores(async (store, n) => {
    await grown(store, n)
    return () => store.read('a')
  }),
  'SessionStore.replace': onStores((store, n) => () => store.replace('a', `"${'x'.repeat(n * 1000)}"`)),
  'SessionStore.list': onStores(async (store, n) => {
    for (let i = 0; i < n; i++) await store.replace(`s${i}`, '{}')
    return () => store.list()
  }),
  'SessionStore.remove': onStores(async (store, n) => {
    for (let i = 0; i < n; i++) await store.replace(`s${i}`, '{}')
    return () => store.remove('s1')
  }),
  'SessionStore.sync': onStores(async (store, n) => {
    await grown(store, n)
    return () => store.sync?.('a')
  }),
}

/** A tracker that knows n / 8 results: what one more takes is a view of all of them. */
function trackerOf(n: number): ReturnType<typeof createResultTracker> {
  const tracker = createResultTracker()
  for (const call of calls(n / 8)) tracker.track(call, `result ${call.id} `.repeat(9))
  return tracker
}

const readsOf = (n: number) =>
  new Reads(Object.fromEntries(fileNames(n).map((path) => [path, 'a'.repeat(64)])))

/** What a part of a message alone has is not recalled. */
function recalled(call: () => unknown): unknown {
  try {
    return call()
  } catch {
    return undefined
  }
}

/** Methods that a row of another name calls. */
export const WITHIN: Record<string, string> = {
  'AgentMiddlewareConfig.wrapModelCall': 'trimtab/langchain.trimtab',
  'AgentModel.getResponse': 'trimtab/openai-agents.trimtab',
  'AiSdkTrimtab.view': 'trimtab/ai-sdk.trimtab',
  'ClaudeAgentTrimtab.hooks.PreToolUse.hooks()': 'trimtab/claude-agent.trimtab',
  'ClineSetup.hooks.beforeModel': 'trimtab/cline.trimtab',
  'Context.onView()': 'Context.onView',
  'CopilotHooks.onPostToolUse': 'trimtab/copilot.trimtab',
  'FileReader.readFile': 'createFileReader',
  'Grammar.outline': 'loadGrammar',
  'MessageCounter()': 'messageCounter',
  'MessagePass()': 'hideToolArgs',
  'MessageThread.project': 'MessageThread',
  'OpencodeHooks.experimental.chat.messages.transform': 'trimtab/opencode.trimtab',
  'ReadDigests.apply': 'createReadDigests',
  'Reads.toJSON': 'Reads',
  'TokenMeter.tokens': 'TokenMeter',
  'Tool.execute': 'createTools',
  'TrimtabMiddleware.onConfig': 'trimtab/tanstack.trimtab',
  'TrimtabProcessor.processLLMRequest': 'trimtab/mastra.trimtab',
  'Workspace.readFile': 'createWorkspace',
  'compose()': 'compose',
  'trimtab/pi.trimtab()': 'trimtab/pi.trimtab',
}

/** Methods without an input that grows, and why. */
export const FIXED_METHODS: Record<string, string> = {
  'AgentModelProvider.getModel': 'wraps a model',
  'AgentsTrimtab.model': 'wraps a model',
  'AgentsTrimtab.modelProvider': 'wraps a provider',
  'AiSdkTools.recall.toModelOutput': 'wraps a value',
  'ClinePlugin.setup': 'makes hooks',
  'MastraRecall.toModelOutput': 'wraps a value',
  'RollingContextCommand.run': 'a line that a person typed',
  'TanStackRecall.execute': 'a text',
  'ToolSchema.~standard.jsonSchema.input': 'a schema',
  'ToolSchema.~standard.jsonSchema.output': 'a schema',
  'ToolSchema.~standard.validate': 'hands on a value',
  'trimtab/opencode.trimtab()': 'makes hooks',
}
