#!/usr/bin/env node
// `node scripts/lines.mjs`: counts the lines of js/src, of its rooms, and of features added after the rooms were
// planned. docs/decisions/thin-typescript.md has the figures for comparison. Generated files are left out.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { at } from './lib/project.mjs'
import { filesIn } from './lib/stamp.mjs'

/** Features added later, by the files that exist only for them. */
const FEATURES = {
  'frameworks of agents':
    /^(adapters|ai-sdk|langchain|mastra|openai-agents|tanstack|opencode|pi|cline|claude-agent|copilot)\//,
  'why a prompt was not cached':
    /^(money\/diagnosis\/|cli\/why|tokens\/cache-writes|projection\/request-cache)/,
  'what no policy can beat': /^money\/(bound|cheapest-plan|clearable|keeping|sent|warm)\./,
  'prices by model (82 lines were there)': /^prices\//,
  'models that bind or demand reasoning': /^policy\/(model-binding|call-reasoning)\./,
  'usage as running totals': /^tokens\/running-total\./,
  'session files shared by processes': /^sessions\/stores\/file-commit\./,
  'session files that are written': /^transcripts\/(write|writing)\./,
  'encodings of files, binary files': /^(files\/binary-kind|reading\/binary|tools\/encoding)\./,
  'what shell commands write': /^timeline\/shell-words\./,
  'trimtab init': /^cli\/init\./,
}

/** Counts lines of code, without blank lines and comment-only lines. */
function codeLines(text) {
  const code = text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')
  return code.split('\n').filter((line) => line.trim() !== '').length
}

const files = filesIn('js/src')
  .filter((file) => file.endsWith('.ts') && !/\/generated\/|\/loaders\/|-bytes\.ts$/.test(file))
  .map((file) => {
    const text = readFileSync(file, 'utf8')
    return { name: relative(at('js/src'), file), all: text.split('\n').length - 1, code: codeLines(text) }
  })

const sum = (some) =>
  some.reduce(({ all, code }, one) => ({ all: all + one.all, code: code + one.code }), {
    all: 0,
    code: 0,
  })
const line = (title, { all, code }) =>
  `${title.padEnd(46)}${String(all).padStart(8)}${String(code).padStart(8)}`

const roomOf = ({ name }) => (name.includes('/') ? name.split('/')[0] : 'entries')
const rooms = [...new Set(files.map(roomOf))].map((room) => [
  room,
  sum(files.filter((file) => roomOf(file) === room)),
])
const features = Object.entries(FEATURES).map(([title, own]) => [
  title,
  sum(files.filter(({ name }) => own.test(name))),
])
const total = sum(files)
const since = sum(features.map(([, lines]) => lines))
const rest = { all: total.all - since.all, code: total.code - since.code }

console.log(`${''.padEnd(46)}   lines    code`)
console.log(line('js/src', total))
for (const [room, lines] of rooms.sort(([, a], [, b]) => b.code - a.code))
  console.log(line(`  ${room}`, lines))
console.log(`\n${line('features since', since)}`)
for (const [title, lines] of features) console.log(line(`  ${title}`, lines))
console.log(`\n${line('js/src without them', rest)}`)
