// Whatever is passed where messages, calls and settings for them are wanted: a TrimtabError, or a result.
import * as compaction from '../../js/dist/compaction/index.js'
import { createIndex } from '../../js/dist/index/index.js'
import * as root from '../../js/dist/index.js'
import * as timeline from '../../js/dist/timeline/index.js'
import * as tools from '../../js/dist/tools/index.js'
import * as transcripts from '../../js/dist/transcripts/index.js'
import { type Calls, each, testEach } from './odd-values.js'

const call = { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }
const session = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'x\n'.repeat(500) },
  { role: 'assistant', content: 'done' },
]
const asked = { name: 'a', arguments: '{}' }

/** A context that has seen the session. */
function context() {
  const made = new root.Context({})
  made.project(session)
  return made
}

const VIEWS: Calls = {
  'project(it)': (it) => root.project(it, {}),
  'project([it])': (it) => root.project([it], {}),
  'policy of project': (it) => root.project(session, it),
  'options of project': (it) => root.project(session, {}, it),
  ...each('project', 'state format currentStep idle', (option) => root.project(session, {}, option)),
  'new Context(it)': (it) => new root.Context(it).project(session),
  'options of a Context': (it) => new root.Context({}, it).project(session),
  'project(it) of a Context': (it) => new root.Context({}).project(it),
  'options of project of a Context': (it) => context().project(session, it),
  'recall(it) of a Context': (it) => context().recall(it),
  'range of recall of a Context': (it) => context().recall('abcd', it),
  'answerRecall(it)': (it) => context().answerRecall(it),
  'recall(it)': (it) => root.recall(it, 'abcd'),
  'reference of recall': (it) => root.recall(session, it),
  'options of recall': (it) => root.recall(session, 'abcd', it),
  'inspect(it)': (it) => root.inspect(it),
  'options of inspect': (it) => root.inspect(session, it),
  'validate(it)': (it) => root.validate(it),
  'options of validate': (it) => root.validate(session, it),
  'repair(it)': (it) => root.repair(it),
  'options of repair': (it) => root.repair(session, it),
}

const PASSES: Calls = {
  'cleanupEphemeralMessages(it)': (it) => root.cleanupEphemeralMessages(it),
  'options of cleanupEphemeralMessages': (it) => root.cleanupEphemeralMessages(session, it),
  'dedupeToolResults(it)': (it) => root.dedupeToolResults(it),
  'options of dedupeToolResults': (it) => root.dedupeToolResults(session, it),
  'clearToolUses(it)': (it) => root.clearToolUses(it),
  'options of clearToolUses': (it) => root.clearToolUses(session, it),
  'dedupeFileReads(it)': (it) => root.dedupeFileReads(it)(session),
  'hideToolArgs(it)': (it) => root.hideToolArgs(it)(session),
  'options of hideToolArgs': (it) => root.hideToolArgs(200, it)(session),
  'keepRecentToolResults(it)': (it) => root.keepRecentToolResults(it)(session),
  'options of keepRecentToolResults': (it) => root.keepRecentToolResults(3, it)(session),
  'smartToolRetention(it)': (it) => root.smartToolRetention(it)(session),
  'truncateToolResults(it)': (it) => root.truncateToolResults(it)(session),
  'options of truncateToolResults': (it) => root.truncateToolResults(200, it)(session),
  'compose(it)': (it) => root.compose(it)(session),
  'what a pass returns': (it) => root.compose(() => it)(session),
  'truncateOldToolOutputs(it)': (it) => root.truncateOldToolOutputs(it),
  'step of truncateOldToolOutputs': (it) => root.truncateOldToolOutputs(session, it),
  'config of truncateOldToolOutputs': (it) => root.truncateOldToolOutputs(session, 3, it),
  'getActiveFiles(it)': (it) => root.getActiveFiles(it),
  'config of getActiveFiles': (it) => root.getActiveFiles(session, 3, it),
  'createTruncatedPlaceholder(it)': (it) => root.createTruncatedPlaceholder(it),
  'config of createTruncatedPlaceholder': (it) => root.createTruncatedPlaceholder(session[2] as object, it),
  'shouldPreserveFileContent(it)': (it) => root.shouldPreserveFileContent(it, 3),
  'shouldTruncateToolResult(it)': (it) => root.shouldTruncateToolResult(it, 3),
  'truncateOutput(it)': (it) => root.truncateOutput(it),
  'options of truncateOutput': (it) => root.truncateOutput('x\n'.repeat(9000), it),
  'extractKeyInfo(it)': (it) => root.extractKeyInfo(it, 'bash'),
  'tool of extractKeyInfo': (it) => root.extractKeyInfo('x', it),
  'summarizeToolOutput(it)': (it) => root.summarizeToolOutput(it),
  'options of summarizeToolOutput': (it) => root.summarizeToolOutput(session[2] as object, it),
}

const SETTINGS: Calls = {
  'loadPolicy(it)': (it) => root.loadPolicy(it),
  ...each('loadPolicy', 'contextManagement age keep_recent_tool_results', (policy) =>
    root.loadPolicy(policy),
  ),
  'rollingContextPolicy(it)': (it) => root.rollingContextPolicy(it),
  'rollingContext(it)': (it) => root.rollingContext(it),
  'smartRetention(it)': (it) => root.smartRetention(it),
  'clearOldToolUses(it)': (it) => root.project(session, root.clearOldToolUses(it)),
  'toContextManagement(it)': (it) => root.toContextManagement(it),
  'options of toContextManagement': (it) => root.toContextManagement({}, it),
  'contextWarning(it)': (it) => root.contextWarning(it),
  'createRollingContextCommand(it)': (it) => root.createRollingContextCommand(it),
  'store of saveSession': (it) => root.saveSession(it, 'a', { history: session }),
  'id of saveSession': (it) => root.saveSession(root.memoryStore(), it, { history: session }),
  'saveSession(it)': (it) => root.saveSession(root.memoryStore(), 'a', it),
  ...each('saveSession', 'history context', (part) =>
    root.saveSession(root.memoryStore(), 'a', { history: session, ...part }),
  ),
  'store of loadSession': (it) => root.loadSession(it, 'a'),
  'id of loadSession': (it) => root.loadSession(root.memoryStore(), it),
  'migrateSession(it)': (it) => root.migrateSession(it),
  'fileStore(it)': (it) => root.fileStore(it),
}

const CALLS: Calls = {
  'openToolCalls(it)': (it) => tools.openToolCalls(it, 'openai-chat'),
  'format of openToolCalls': (it) => tools.openToolCalls(session, it),
  'runToolCall(it)': (it) => tools.runToolCall(it, asked),
  'runToolCall([it])': (it) => tools.runToolCall([it], asked),
  'call of runToolCall': (it) => tools.runToolCall([], it),
  'format of toolResultMessages': (it) => tools.toolResultMessages(it, []),
  'toolResultMessages(it)': (it) => tools.toolResultMessages('anthropic', it),
  'toolResultMessages([it])': (it) => tools.toolResultMessages('anthropic', [it]),
  'addToolResults(it)': (it) => tools.addToolResults(it, 'openai-chat', []),
  'withoutMetadata(it)': (it) => tools.withoutMetadata(it, 'openai-chat'),
  'withoutMetadata([it])': (it) => tools.withoutMetadata([it], 'openai-chat'),
  'fileStateAt(it)': (it) => timeline.fileStateAt(it, 'a.ts'),
  'path of fileStateAt': (it) => timeline.fileStateAt(session, it),
  'moment of fileStateAt': (it) => timeline.fileStateAt(session, 'a.ts', it),
  'options of fileStateAt': (it) => timeline.fileStateAt(session, 'a.ts', undefined, it),
  'fileStates(it)': (it) => timeline.fileStates(it),
  'fileEdits(it)': (it) => timeline.fileEdits(it),
  'path of fileEdits': (it) => timeline.fileEdits(session, it),
  'changelog(it)': (it) => timeline.changelog(it),
  'path of compressEdits': (it) => timeline.compressEdits(session, it),
  'indexReads(it)': (it) => timeline.indexReads(it, session),
  'messages of indexReads': (it) => timeline.indexReads(createIndex(), it),
  'compact(it)': (it) => compaction.compact(it),
  'options of compact': (it) => compaction.compact(session, it),
  ...each('compact', 'summarize threshold keepRecentMessages maxToolResultLength signal format', (option) =>
    compaction.compact(session, { threshold: 0, keepRecentMessages: 1, ...option }),
  ),
  'what a model says': (it) =>
    compaction.compact(session, { threshold: 0, keepRecentMessages: 1, summarize: () => it }),
  'shouldCompact(it)': (it) => compaction.shouldCompact(it),
  'options of shouldCompact': (it) => compaction.shouldCompact(session, it),
  'compactionPrompt(it)': (it) => compaction.compactionPrompt(it, 'openai-chat'),
  'format of compactionPrompt': (it) => compaction.compactionPrompt(session, it),
  'options of compactionPrompt': (it) => compaction.compactionPrompt(session, 'openai-chat', it),
  'createContextMonitor(it)': (it) => compaction.createContextMonitor(it),
  ...each('createContextMonitor', 'window warnAt compactAt warned', (option) =>
    compaction.createContextMonitor(option),
  ),
  'check(it)': (it) => compaction.createContextMonitor().check(it),
  'isSummary(it)': (it) => compaction.isSummary(it),
  'readTranscript(it)': (it) => transcripts.readTranscript(it),
  'convertMessages(it)': (it) => transcripts.convertMessages(it, 'openai-chat', 'anthropic'),
  'convertMessages([it])': (it) => transcripts.convertMessages([it], 'openai-chat', 'anthropic'),
  'format of convertMessages': (it) => transcripts.convertMessages(session, it, 'anthropic'),
  'options of convertMessages': (it) => transcripts.convertMessages(session, 'openai-chat', 'anthropic', it),
}

testEach({ ...VIEWS, ...PASSES, ...SETTINGS, ...CALLS })
