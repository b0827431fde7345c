// Slices near the end of a file of 100 MB, by line ending and encoding: processor time of the read, and peak memory of
// a process that does nothing else. `npm run bench -- slices`.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BYTES = 100 * 1024 * 1024
const TEXT = 'A line as logs and tables have them, with 0123456789 and some words more in it'
const KINDS = {
  LF: { end: '\n', encoding: 'latin1' },
  CRLF: { end: '\r\n', encoding: 'latin1' },
  'lone CR': { end: '\r', encoding: 'latin1' },
  'UTF-16 LE': { end: '\n', encoding: 'utf16le', mark: [0xff, 0xfe] },
  'UTF-16 BE': { end: '\n', encoding: 'utf16le', mark: [0xfe, 0xff], isSwapped: true },
  'UTF-16 LE, Chinese': {
    end: '\n',
    encoding: 'utf16le',
    mark: [0xff, 0xfe],
    text: '中文日志的一行'.repeat(8),
  },
}
const SLICES = {
  'offset, limit': { offset: -60, limit: 50 },
  negative: { offset: -50 },
  ranges: {
    ranges: [
      { start: 1, end: 20 },
      { start: -400, end: -371 },
      { start: -50, end: -1 },
    ],
  },
}

/** Writes a file of a kind in pieces, so that this process never holds all of it. */
function write(path, { end, encoding, mark = [], text = TEXT, isSwapped = false }) {
  const piece = Buffer.from((text + end).repeat(4096), encoding)
  if (isSwapped) piece.swap16()
  const file = openSync(path, 'w')
  writeSync(file, Uint8Array.from(mark))
  for (let written = mark.length; written < BYTES; written += piece.length) writeSync(file, piece)
  closeSync(file)
}

/** Minimum processor time of several calls, in milliseconds. */
async function least(work) {
  const times = []
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

const ways = {
  async 'from bytes'(file, slice) {
    const { formatRead } = await import('../js/dist/entries/files.js')
    const content = readFileSync(file)
    return () => formatRead({ path: file, content, ...slice })
  },
  async 'trimtab read'(file, { offset, limit }) {
    const { withFiles } = await import('../js/dist/engine/with-files.js')
    const { run } = await import('../js/dist/cli/read.js')
    const read = withFiles(run)
    const options = Object.entries({ offset, limit }).filter(([, value]) => value !== undefined)
    return () => read([file, ...options.map(([name, value]) => `--${name}=${value}`)])
  },
  async read_file(file, { offset, limit }) {
    const { createWorkspace } = await import('../js/dist/entries/workspace.js')
    const { createReadTool } = await import('../js/dist/entries/tools.js')
    const folder = join(file, '..')
    const tool = createReadTool(createWorkspace({ fs, root: folder }))
    return async () => {
      const result = await tool.execute({ file_paths: [file.slice(folder.length + 1)], offset, limit })
      if (result.isError) throw new Error(result.content)
    }
  },
}

/** Measures one method in a separate process, which prints its figures as JSON. */
async function child(way, file, name) {
  const work = await ways[way](file, SLICES[name])
  const milliseconds = await least(work)
  console.log(JSON.stringify({ milliseconds, megabytes: process.resourceUsage().maxRSS / 1024 }))
}

function measured(way, file, name) {
  const own = fileURLToPath(import.meta.url)
  const { stdout, stderr, status } = spawnSync(process.execPath, [own, way, file, name], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

function main() {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-slices-'))
  const empty = join(folder, 'empty')
  closeSync(openSync(empty, 'w'))
  const base = measured('from bytes', empty, 'negative').megabytes
  const row = (...cells) =>
    console.log(cells.map((cell, i) => String(cell)[i ? 'padStart' : 'padEnd'](i ? 16 : 22)).join(''))
  console.log(
    `Processor time, and memory in files beyond the ${base.toFixed(0)} MB of a process that reads an empty one\n`,
  )
  const asked = [
    ...Object.keys(SLICES).map((name) => ['from bytes', name]),
    ['trimtab read', 'offset, limit'],
    ['read_file', 'offset, limit'],
  ]
  row('100 MB', ...asked.map(([way, name]) => (way === 'from bytes' ? name : way)))
  try {
    for (const [kind, made] of Object.entries(KINDS)) {
      const file = join(folder, 'file')
      write(file, made)
      const cells = asked.map(([way, name]) => {
        const { milliseconds, megabytes } = measured(way, file, name)
        const files = Math.max(0, megabytes - base) / (BYTES / 1024 / 1024)
        return `${milliseconds.toFixed(0)} ms, ${files.toFixed(1)} x`
      })
      row(kind, ...cells)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [way, file, name] = process.argv.slice(2)
if (way === undefined) main()
else await child(way, file, name)
