// A call of every method of the objects that the package returns, with arguments that are valid.
import { Context, MessageThread, project, readMessages, rollingContext } from 'trimtab'
import { createContextMonitor } from 'trimtab/compaction'
import { createEncoding } from 'trimtab/encodings/custom'
import { createIndex, createReadDigests } from 'trimtab/index'
import { loadGrammar } from 'trimtab/outline'
import { createFileReader } from 'trimtab/reading'
import {
  compose,
  createResultTracker,
  createRollingContextCommand,
  dedupeFileReads,
  hideToolArgs,
  keepRecentToolResults,
  smartToolRetention,
  truncateToolResults,
} from 'trimtab/recipes'
import { fileStore, memoryStore, type SessionStore, unstorageStore } from 'trimtab/sessions'
import { messageCounter, TokenMeter } from 'trimtab/tokens'
import { createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace, Reads } from 'trimtab/workspace'
import { createStorage } from 'unstorage'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import { ADAPTERS, ADAPTERS_WITHOUT_ARGUMENTS } from './hostile-adapter-calls.js'
import { type AnyFunction, history } from './hostile-values.js'

/** A call with fresh objects, and valid arguments for it. */
export type MethodCall = [run: AnyFunction, ...valid: unknown[]]

const grammar = await loadGrammar('typescript')
const bytes = Array.from({ length: 256 }, (_, i) => `${Buffer.from([i]).toString('base64')} ${i}\n`)
const encoding = await createEncoding({
  vocabulary: `${bytes.join('')}YWI= 256\n`,
  pattern: '\\w+',
})

const workspace = () => createWorkspace({ memory: { 'a.ts': 'const a = 1' } })
const context = () => new Context(rollingContext())
const index = () => {
  const files = createIndex()
  files.add({ path: 'a.ts', content: 'const a = 1' })
  return files
}
const embedding = () => createIndex({ embed: (texts: readonly string[]) => texts.map(() => [1, 2]) } as never)
const view = () => project(history, rollingContext())
const neutral = () => readMessages(history)
const STORES: Record<string, () => SessionStore> = {
  memory: () => memoryStore(),
  file: () => fileStore({ fs: new MemoryFs().fs, folder: '/sessions' }),
  unstorage: () => unstorageStore({ storage: createStorage() as never }),
}
const onStores = (
  call: (store: SessionStore, ...args: Parameters<AnyFunction>) => unknown,
  ...valid: unknown[]
) =>
  Object.entries(STORES).map(
    ([name, make]) => [name, [(...args) => call(make(), ...args), ...valid]] as [string, MethodCall],
  )
const named = (method: string, calls: [string, MethodCall][]): Record<string, MethodCall> =>
  Object.fromEntries(calls.map(([name, call]) => [`${method}, ${name}`, call]))

const PASSES = {
  compose: () => compose(dedupeFileReads()),
  dedupeFileReads,
  hideToolArgs,
  keepRecentToolResults,
  smartToolRetention,
  truncateToolResults,
}

const LIBRARY: Record<string, MethodCall> = {
  'Context.project': [(...args) => context().project(args[0], args[1]), history, { idle: 1, model: 'm' }],
  'Context.calibrate': [(usage) => calibrated(usage), { input_tokens: 1, output_tokens: 1 }],
  'Context.recall, a reference': [
    (reference) => recalled((it, known) => it.recall(reference ?? known)),
    undefined,
  ],
  'Context.recall': [
    (range) => recalled((it, reference) => it.recall(reference, range)),
    { offset: 1, limit: 2 },
  ],
  'Context.answerRecall': [
    (args) => recalled((it) => it.answerRecall(args)),
    { reference: 'x', lines: '1-2' },
  ],
  'Context.endTurn': [
    (messages, options) => context().endTurn(messages, options),
    history,
    { onRemoved: () => {} },
  ],
  'Context.usage': [(messages) => context().usage(messages), history],
  'Context.onView': [(listener) => context().onView(listener), () => {}],
  'Context.fromJSON': [(saved) => Context.fromJSON(saved), JSON.parse(JSON.stringify(context()))],
  'Context.fromJSON, options': [
    (options) => Context.fromJSON(JSON.parse(JSON.stringify(context())), options),
    {},
  ],
  'MessageThread.project': [
    (messages, options) => new MessageThread(context()).project(messages, options),
    [{ role: 'user', content: 'hi' }],
    { idle: 1, model: 'm' },
  ],
  'MessageThread.answered': [
    (answer) => answered(answer),
    { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'x' }], usage: { input_tokens: 1 } },
  ],
  'LiveReport.explain': [(at) => view().report.explain(at), 2],
  'MessageCounter()': [
    (messages, format) => messageCounter((text) => text.length)(messages, format),
    history,
    'openai-chat',
  ],
  'NeutralHistory.argumentsOf': [(at) => neutral().argumentsOf(at), neutral().blocks()[1]],
  'NeutralHistory.callOf': [(at) => neutral().callOf(at), neutral().blocks()[2]],
  'NeutralHistory.resultOf': [(at) => neutral().resultOf(at), neutral().blocks()[1]],
  'NeutralHistory.saidIn': [(at) => neutral().saidIn(at), 0],
  'NeutralHistory.textOf': [(at) => neutral().textOf(at), neutral().blocks()[2]],
  'TokenMeter.report': [
    (view, usage) => new TokenMeter().report(view, usage),
    history,
    { input: 1, output: 1 },
  ],
  'TokenMeter.tokens': [(view) => new TokenMeter().tokens(view), history],
  'Encoding.count': [(text, options) => encoding.count(text, options), 'ab', {}],
  'Encoding.encode': [(text, options) => encoding.encode(text, options), 'ab', {}],
  'Encoding.decode': [(tokens) => encoding.decode(tokens), [0, 1]],
  'Grammar.outline': [
    (content, options, language) => grammar.outline(content, options, language),
    'const a = 1',
    {},
    'typescript',
  ],
  'ContextMonitor.check': [(tokens) => createContextMonitor().check(tokens), 10],
  'RollingContextCommand.run': [
    (input) => createRollingContextCommand({ load: () => ({}), save: () => {} } as never).run(input),
    'on',
  ],
  'ResultTracker.follow': [(view) => createResultTracker().follow(view), view().messages],
  'ResultTracker.skip': [(call) => createResultTracker().skip(call), { id: 'a', name: 'x', arguments: '{}' }],
  'ResultTracker.track': [
    (call, text) => createResultTracker().track(call, text),
    { id: 'a', name: 'x', arguments: '{}' },
    'x',
  ],
  'compose()': [(messages) => compose(dedupeFileReads())(messages), history],
  ...named(
    'MessagePass()',
    Object.entries(PASSES).map(([name, make]) => [name, [(messages) => make()(messages), history]]),
  ),
}

/** Runs a call on a Context that has cleared a result. */
function recalled(run: (context: Context, reference: string) => unknown): unknown {
  const context = new Context({ age: { maxToolOutputAge: 0 }, recall: true })
  const { report } = context.project([...history, ...history.map((message) => renamed(message))])
  const reference = /recall (\w+)/.exec(report.edits[0]?.text ?? '')?.[1]
  if (reference === undefined) throw new Error('nothing was cleared')
  return run(context, reference)
}

function calibrated(usage: object): void {
  const it = context()
  it.project(history)
  it.calibrate(usage)
}

const renamed = (message: object): object => JSON.parse(JSON.stringify(message).replaceAll('"a"', '"b"'))

function answered(answer: object): void {
  const thread = new MessageThread(context())
  thread.project([{ role: 'user', content: 'hi' }])
  thread.answered(answer as never)
}

const FILES: Record<string, MethodCall> = {
  'Workspace.readFile': [(path, options) => workspace().readFile(path, options), 'a.ts', { track: true }],
  'Workspace.writeFile': [
    (path, content, options) => workspace().writeFile(path, content, options),
    'b.ts',
    'x',
    {},
  ],
  'Workspace.list': [(path) => workspace().list(path), '.'],
  'Workspace.walk': [(path, options) => workspace().walk(path, options).next(), '.', {}],
  'Workspace.stat': [(path) => workspace().stat(path), 'a.ts'],
  'Workspace.remove': [(path, options) => workspace().remove(path, options), 'a.ts', {}],
  'Reads.delete': [(path) => new Reads().delete(path), 'a.ts'],
  'Reads.digest': [(path) => new Reads().digest(path), 'a.ts'],
  'Reads.set': [(path, digest) => new Reads().set(path, digest), 'a.ts', 'a'.repeat(64)],
  'FileReader.readFile': [(file) => createFileReader().readFile(file), { path: 'a.ts', content: 'x' }],
  'FileReader.expand': [
    (file) => createFileReader().expand(file),
    { path: 'a.md', content: '# One\n\nx\n', section: 'One' },
  ],
  'FileIndex.add': [
    (file) => createIndex().add(file),
    { path: 'a.ts', content: 'a', sections: [{ name: 'a', kind: 'function', startLine: 1, endLine: 1 }] },
  ],
  'FileIndex.content': [(path) => index().content(path), 'a.ts'],
  'FileIndex.digest': [(file, query, options) => index().digest(file, query, options), 'a.ts', 'a', {}],
  'FileIndex.has': [(path) => index().has(path), 'a.ts'],
  'FileIndex.lines': [(path) => index().lines(path), 'a.ts'],
  'FileIndex.query': [(text, options) => index().query(text, options), 'a', { symbols: true }],
  'FileIndex.queryWithVectors': [(text, options) => embedding().queryWithVectors(text, options), 'a', {}],
  'FileIndex.remove': [(path) => index().remove(path), 'a.ts'],
  'FileIndex.sections': [(path) => index().sections(path), 'a.ts'],
  'ReadDigests.apply': [(view) => createReadDigests(index()).apply(view), view()],
  ...named(
    'SessionStore.append',
    onStores(
      async (store, id, entry, version) => {
        const made = await store.replace('a', '{}')
        return store.append(id, entry, version ?? made.version)
      },
      'a',
      '{}',
      undefined,
    ),
  ),
  ...named(
    'SessionStore.read',
    onStores((store, id) => store.read(id), 'a'),
  ),
  ...named(
    'SessionStore.remove',
    onStores((store, id) => store.remove(id), 'a'),
  ),
  ...named(
    'SessionStore.replace',
    onStores(
      (store, id, entry, version, options) => store.replace(id, entry, version, options),
      'a',
      '{}',
      undefined,
      {},
    ),
  ),
  ...named(
    'SessionStore.sync',
    onStores((store, id) => store.sync?.(id), 'a'),
  ),
}

const TOOLS: Record<string, MethodCall> = {
  'Tool.execute': [
    (args) => Promise.all(createTools(workspace()).map((tool) => tool.execute(args))),
    { path: 'a.ts', file_paths: ['a.ts'], content: 'x', pattern: 'a', glob: '*', old_string: 'a' },
  ],
  'Tool.execute, with options': [
    (options) => createTools(workspace())[0]?.execute({ path: 'a.ts' }, options),
    { signal: new AbortController().signal },
  ],
  'Tool.execute, of a call': [
    (it) => runToolCall(createTools(workspace()), it),
    { name: 'read_file', arguments: { path: 'a.ts' } },
  ],
}

export const CALLS: Record<string, MethodCall> = { ...LIBRARY, ...FILES, ...TOOLS, ...ADAPTERS }

/** Methods without arguments, with a call of each. */
export const NO_ARGUMENTS: Record<string, () => unknown> = {
  'Context.[dispose]': () => context()[Symbol.dispose](),
  'Context.toJSON': () => context().toJSON(),
  'Context.onView()': () => context().onView(() => {})(),
  'NeutralHistory.blocks': () => neutral().blocks(),
  'MessageThread.lost': () => new MessageThread(context()).lost(),
  'FileIndex.[dispose]': () => index()[Symbol.dispose](),
  'FileIndex.paths': () => index().paths(),
  'ReadDigests.toJSON': () => createReadDigests(index()).toJSON(),
  'Reads.toJSON': () => new Reads().toJSON(),
  'SessionStore.list': () => memoryStore().list(),
  ...ADAPTERS_WITHOUT_ARGUMENTS,
}
