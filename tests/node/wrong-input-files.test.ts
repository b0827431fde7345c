// Any value in place of files, lines, outlines and indexes: the result is a TrimtabError or a value.

import * as files from 'trimtab/files'
import { createIndex, createReadDigests } from 'trimtab/index'
import * as outlines from 'trimtab/outline'
import * as reading from 'trimtab/reading'
import * as tools from 'trimtab/tools'
import { type Calls, each, testEach } from './odd-values.js'

const path = 'a.ts'
const content = 'function a() {\n  return 1\n}\n'.repeat(60)
const conversation = [{ role: 'user', text: 'what does a do?' }]
const source = { readFile: async () => content }

/**
 * Replaces a function by one that reads a file: a source that always returns a number would be a file without
 * an end.
 */
const readable = (it: unknown) => (typeof it === 'function' ? () => 'x' : it)

function index() {
  const made = createIndex()
  made.add({ path, content })
  return made
}

async function drained(events: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of events) count++
  return count
}

const SLICES: Calls = {
  'formatRead(it)': (it) => files.formatRead(it),
  'formatRead({ content })': (it) => files.formatRead({ path, content: readable(it) as string }),
  ...each('formatRead', 'path offset limit column maxLineLength ranges', (option) =>
    files.formatRead({ path, content, ...option }),
  ),
  'a range of formatRead': (it) => files.formatRead({ path, content, ranges: [it] }),
  'a start of formatRead': (it) => files.formatRead({ path, content, ranges: [{ start: it, end: 3 }] }),
  'formatReads(it)': (it) => files.formatReads(it),
  'formatReads([it])': (it) => files.formatReads({ files: [it] }),
  ...each('formatReads', 'files limits ephemeral counter offset limit', (option) =>
    files.formatReads({ files: [{ path, content }], ...option }),
  ),
  ...each('limits', 'contextSize readMaxTokens', (limits) =>
    files.formatReads({ files: [{ path, content }], limits }),
  ),
  'readTokenLimit(it)': (it) => files.readTokenLimit(it),
  'editFile(it)': (it) => files.editFile(it, { path, oldString: 'a', newString: 'b' }),
  'options of editFile': (it) => files.editFile(content, it),
  ...each('editFile', 'path oldString newString replaceAll', (option) =>
    files.editFile(content, { path, oldString: 'a', newString: 'b', replaceAll: true, ...option }),
  ),
  'appendToFile(it)': (it) => files.appendToFile(it, { path, text: 'x' }),
  'options of appendToFile': (it) => files.appendToFile(content, it),
  'prependToFile(it)': (it) => files.prependToFile(it, { path, text: 'x' }),
  'options of prependToFile': (it) => files.prependToFile(content, it),
  'updateSection(it)': (it) => files.updateSection(it, { path, header: '# A', text: 'x' }),
  'options of updateSection': (it) => files.updateSection(content, it),
}

const VIEWS: Calls = {
  'readFile(it)': (it) => reading.readFile(it),
  ...each(
    'readFile',
    'path content mode conversation language ephemeral signal threshold thresholds curator recentMessages maxTokens cache index onEvent',
    (option) => reading.readFile({ path, content, ...option }),
  ),
  'curatorSettings of readFile': (it) =>
    reading.readFile({
      path,
      content,
      conversation,
      curator: async () => ({ content: '{}' }),
      curatorSettings: it,
    }),
  'what a curator says': (it) =>
    reading.readFile({ path, content, conversation, mode: 'curated', curator: () => it }),
  'a message of a conversation': (it) => reading.readFile({ path, content, conversation: [it] }),
  'createFileReader(it)': (it) => reading.createFileReader(it),
  'conversation of a reader': (it) =>
    reading.createFileReader({ conversation: () => it }).readFile({ path, content }),
  'expand(it)': (it) => reading.expand(it),
  ...each('expand', 'path content section language', (option) =>
    reading.expand({ path, content, section: 'a', ...option }),
  ),
  'readFileEvents(it)': (it) => drained(reading.readFileEvents(it)),
  'parseCuration(it)': (it) => reading.parseCuration(it, 9),
  'lines of parseCuration': (it) => reading.parseCuration('{"line_ranges":[{"start":1,"end":2}]}', it),
  'curatorPrompt(it)': (it) => reading.curatorPrompt(it),
  ...each('curatorPrompt', 'path content conversation recentMessages', (option) =>
    reading.curatorPrompt({ path, content, ...option }),
  ),
  'conversationOf(it)': (it) => reading.conversationOf(it, { format: 'openai-chat' }),
  'conversationOf([it])': (it) => reading.conversationOf([it], { format: 'openai-chat' }),
  'format of conversationOf': (it) => reading.conversationOf([], { format: it }),
  'outline(it)': (it) => outlines.outline(it, content),
  'content of outline': (it) => outlines.outline(path, it),
  'options of outline': (it) => outlines.outline(path, content, it),
  ...each('outline', 'language budget', (option) => outlines.outline(path, content, option)),
  ...each('budget', 'lines tokens', (budget) => outlines.outline(path, content, { budget })),
  'loadGrammar(it)': (it) => outlines.loadGrammar(it),
  'detectLanguage(it)': (it) => outlines.detectLanguage(it),
  'content of detectLanguage': (it) => outlines.detectLanguage('a', it),
  'content of a grammar': async (it) => (await outlines.loadGrammar('typescript')).outline(it),
  'options of a grammar': async (it) => (await outlines.loadGrammar('typescript')).outline(content, it),
}

const INDEXES: Calls = {
  'createIndex(it)': (it) => createIndex(it),
  ...each('createIndex', 'embed', (option) => createIndex(option)),
  'add(it)': (it) => index().add(it),
  ...each('add', 'path content sections ephemeral', (option) => index().add({ path, content, ...option })),
  'a section': (it) => index().add({ path, content, sections: [it] }),
  ...each('a section', 'name kind startLine endLine', (option) =>
    index().add({ path, content, sections: [{ startLine: 1, endLine: 3, ...option }] }),
  ),
  'query(it)': (it) => index().query(it),
  'options of query': (it) => index().query('return', it),
  ...each('query', 'budget conversation symbols', (option) => index().query('return', option)),
  ...each('budget of query', 'lines tokens', (budget) => index().query('return', { budget })),
  'what embed returns': (it) => {
    const made = createIndex({ embed: () => it })
    made.add({ path, content })
    return made.queryWithVectors('return')
  },
  'a vector': (it) => {
    const made = createIndex({ embed: (texts) => texts.map(() => it) })
    made.add({ path, content })
    return made.queryWithVectors('return')
  },
  'digest(it)': (it) => index().digest(it, 'a'),
  'conversation of digest': (it) => index().digest(path, it),
  'options of digest': (it) => index().digest(path, 'a', it),
  ...each('digest', 'lines', (option) => index().digest(path, 'a', option)),
  'has(it)': (it) => index().has(it),
  'remove(it)': (it) => index().remove(it),
  'content(it)': (it) => index().content(it),
  'options of createReadDigests': (it) => createReadDigests(index(), it),
  ...each('createReadDigests', 'lines saved', (option) => createReadDigests(index(), option)),
}

const TOOLS: Calls = {
  'createTools(it)': (it) => tools.createTools(it),
  'createReadTool(it)': (it) => tools.createReadTool(it),
  'options of createReadTool': (it) => tools.createReadTool(source, it),
  ...each('createReadTool', 'name limits ephemeral reader index counter', (option) =>
    tools.createReadTool(source, option).execute({ file_paths: [path] }),
  ),
  'execute(it)': (it) => tools.createReadTool(source).execute(it),
  'options of execute': (it) => tools.createReadTool(source).execute({ file_paths: [path] }, it),
  ...each('execute', 'file_paths offset limit column ephemeral', (option) =>
    tools.createReadTool(source).execute({ file_paths: [path], ...option }),
  ),
  'what a source reads': (it) =>
    tools.createReadTool({ readFile: async () => it }).execute({ file_paths: [path] }),
  'what a source says of a path': (it) =>
    tools.createReadTool({ ...source, stat: async () => it }).execute({ file_paths: [path] }),
  'execute(it) of read_lines': (it) => tools.createReadLinesTool(source).execute(it),
}

testEach({ ...SLICES, ...VIEWS, ...INDEXES, ...TOOLS })
