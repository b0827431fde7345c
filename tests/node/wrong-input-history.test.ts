// Any value in place of messages, calls and their settings: the result is a TrimtabError or a value.

import * as root from 'trimtab'
import * as compaction from 'trimtab/compaction'
import * as formats from 'trimtab/formats'
import { createIndex } from 'trimtab/index'
import * as recipes from 'trimtab/recipes'
import * as sessions from 'trimtab/sessions'
import * as timeline from 'trimtab/timeline'
import * as tools from 'trimtab/tools'
import * as transcripts from 'trimtab/transcripts'
import { type Calls, each, testEach, withFields } from './odd-values.js'

const call = { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }
const session = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'x\n'.repeat(500) },
  { role: 'assistant', content: 'done' },
]
const asked = { name: 'a', arguments: '{}' }

/** A context that has projected the session. */
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
  'clearToolUses(it)': (it) => recipes.clearToolUses(it),
  'options of clearToolUses': (it) => recipes.clearToolUses(session, it),
  'dedupeFileReads(it)': (it) => recipes.dedupeFileReads(it)(session),
  'hideToolArgs(it)': (it) => recipes.hideToolArgs(it)(session),
  'options of hideToolArgs': (it) => recipes.hideToolArgs(200, it)(session),
  'keepRecentToolResults(it)': (it) => recipes.keepRecentToolResults(it)(session),
  'options of keepRecentToolResults': (it) => recipes.keepRecentToolResults(3, it)(session),
  'smartToolRetention(it)': (it) => recipes.smartToolRetention(it)(session),
  'truncateToolResults(it)': (it) => recipes.truncateToolResults(it)(session),
  'options of truncateToolResults': (it) => recipes.truncateToolResults(200, it)(session),
  'compose(it)': (it) => recipes.compose(it)(session),
  'what a pass returns': (it) => recipes.compose(() => it)(session),
  'truncateOldToolOutputs(it)': (it) => root.truncateOldToolOutputs(it),
  'step of truncateOldToolOutputs': (it) => root.truncateOldToolOutputs(session, it),
  'config of truncateOldToolOutputs': (it) => root.truncateOldToolOutputs(session, 3, it),
  'getActiveFiles(it)': (it) => recipes.getActiveFiles(it),
  'config of getActiveFiles': (it) => recipes.getActiveFiles(session, 3, it),
  'createTruncatedPlaceholder(it)': (it) => recipes.createTruncatedPlaceholder(it),
  'config of createTruncatedPlaceholder': (it) =>
    recipes.createTruncatedPlaceholder(session[2] as object, it),
  'shouldPreserveFileContent(it)': (it) => recipes.shouldPreserveFileContent(it, 3),
  'shouldTruncateToolResult(it)': (it) => recipes.shouldTruncateToolResult(it, 3),
  'truncateOutput(it)': (it) => recipes.truncateOutput(it),
  'options of truncateOutput': (it) => recipes.truncateOutput('x\n'.repeat(9000), it),
  'extractKeyInfo(it)': (it) => recipes.extractKeyInfo(it, 'bash'),
  'tool of extractKeyInfo': (it) => recipes.extractKeyInfo('x', it),
  'summarizeToolOutput(it)': (it) => recipes.summarizeToolOutput(it),
  'options of summarizeToolOutput': (it) => recipes.summarizeToolOutput(session[2] as object, it),
}

const SETTINGS: Calls = {
  'loadPolicy(it)': (it) => root.loadPolicy(it),
  ...each('loadPolicy', 'contextManagement age keep_recent_tool_results', (policy) =>
    root.loadPolicy(policy),
  ),
  'rollingContextPolicy(it)': (it) => recipes.rollingContextPolicy(it),
  'rollingContext(it)': (it) => root.rollingContext(it),
  'smartRetention(it)': (it) => root.smartRetention(it),
  'clearOldToolUses(it)': (it) => root.project(session, root.clearOldToolUses(it)),
  'toContextManagement(it)': (it) => root.toContextManagement(it),
  'options of toContextManagement': (it) => root.toContextManagement({}, it),
  'contextWarning(it)': (it) => compaction.contextWarning(it),
  'createRollingContextCommand(it)': (it) => recipes.createRollingContextCommand(it),
  'store of saveSession': (it) => sessions.saveSession(it, 'a', { history: session }),
  'id of saveSession': (it) => sessions.saveSession(sessions.memoryStore(), it, { history: session }),
  'saveSession(it)': (it) => sessions.saveSession(sessions.memoryStore(), 'a', it),
  ...each('saveSession', 'history context', (part) =>
    sessions.saveSession(sessions.memoryStore(), 'a', { history: session, ...part }),
  ),
  'store of loadSession': (it) => sessions.loadSession(it, 'a'),
  'id of loadSession': (it) => sessions.loadSession(sessions.memoryStore(), it),
  'migrateSession(it)': (it) => sessions.migrateSession(it),
  'fileStore(it)': (it) => sessions.fileStore(it),
}

const CALLS: Calls = {
  'openToolCalls(it)': (it) => tools.openToolCalls(it, { format: 'openai-chat' }),
  'format of openToolCalls': (it) => tools.openToolCalls(session, { format: it }),
  'runToolCall(it)': (it) => tools.runToolCall(it, asked),
  'runToolCall([it])': (it) => tools.runToolCall([it], asked),
  'call of runToolCall': (it) => tools.runToolCall([], it),
  'format of toolResultMessages': (it) => tools.toolResultMessages([], { format: it }),
  'toolResultMessages(it)': (it) => tools.toolResultMessages(it, { format: 'anthropic' }),
  'toolResultMessages([it])': (it) => tools.toolResultMessages([it], { format: 'anthropic' }),
  'addToolResults(it)': (it) => tools.addToolResults(it, [], { format: 'openai-chat' }),
  'withoutMetadata(it)': (it) => tools.withoutMetadata(it, { format: 'openai-chat' }),
  'withoutMetadata([it])': (it) => tools.withoutMetadata([it], { format: 'openai-chat' }),
  'fileStateAt(it)': (it) => timeline.fileStateAt(it, 'a.ts'),
  'path of fileStateAt': (it) => timeline.fileStateAt(session, it),
  'moment of fileStateAt': (it) => timeline.fileStateAt(session, 'a.ts', { moment: it }),
  'options of fileStateAt': (it) => timeline.fileStateAt(session, 'a.ts', it),
  'fileStates(it)': (it) => timeline.fileStates(it),
  'fileEdits(it)': (it) => timeline.fileEdits(it),
  'path of fileEdits': (it) => timeline.fileEdits(session, { path: it }),
  'changelog(it)': (it) => timeline.changelog(it),
  'path of compressEdits': (it) => timeline.compressEdits(session, { path: it }),
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
  'compactionPrompt(it)': (it) => compaction.compactionPrompt(it, { format: 'openai-chat' }),
  'format of compactionPrompt': (it) => compaction.compactionPrompt(session, { format: it }),
  'options of compactionPrompt': (it) =>
    compaction.compactionPrompt(session, withFields(it, { format: 'openai-chat' })),
  'createContextMonitor(it)': (it) => compaction.createContextMonitor(it),
  ...each('createContextMonitor', 'window warnAt compactAt warned', (option) =>
    compaction.createContextMonitor(option),
  ),
  'check(it)': (it) => compaction.createContextMonitor().check(it),
  'isSummary(it)': (it) => compaction.isSummary(it),
  'readTranscript(it)': (it) => transcripts.readTranscript(it),
  'writeTranscript(it)': (it) => transcripts.writeTranscript(it, { kind: 'pi', format: 'openai-chat' }),
  'writeTranscript([it])': (it) => transcripts.writeTranscript([it], { kind: 'codex', format: 'anthropic' }),
  'options of writeTranscript': (it) =>
    transcripts.writeTranscript(session, withFields(it, { kind: 'pi' }) as never),
  ...each('writeTranscript', 'kind format title system times usage requests cwd', (option) =>
    transcripts.writeTranscript(session, { kind: 'claude-code', format: 'openai-chat', ...option }),
  ),
  'convertMessages(it)': (it) => formats.convertMessages(it, 'anthropic', { format: 'openai-chat' }),
  'convertMessages([it])': (it) => formats.convertMessages([it], 'anthropic', { format: 'openai-chat' }),
  'format of convertMessages': (it) => formats.convertMessages(session, 'anthropic', { format: it }),
  'options of convertMessages': (it) =>
    formats.convertMessages(session, 'anthropic', withFields(it, { format: 'openai-chat' })),
}

testEach({ ...VIEWS, ...PASSES, ...SETTINGS, ...CALLS })
