// Runs commands, and reports progress to the user.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './project.mjs'

/** A failed command, with everything it printed. */
class CommandError extends Error {
  constructor(command, result) {
    super(`${command.join(' ')}: ${result.reason}`)
    this.name = 'CommandError'
    this.output = result.output
  }
}

const running = new Set()
/** Exit code, once this program was asked to terminate. */
let ending

// A command's own children (a browser, test processes) must end with it: each command leads a process group, and the
// group is killed. Otherwise a test that hangs would leave its browser running.
function endGroup(child, signal = 'SIGKILL') {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It has ended by itself in the meantime.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    ending = 128 + constants.signals[signal]
    if (running.size === 0) process.exit(ending)
    // Scripts of this project among them have their own groups to end.
    for (const child of running) endGroup(child, 'SIGTERM')
    setTimeout(() => {
      for (const child of running) endGroup(child)
      process.exit(ending)
    }, 2000)
  })
}

/**
 * Runs a command without a terminal or standard input and collects its output. Never rejects: a command that cannot be
 * started gives a result with code 127.
 */
export function capture(command, { env = process.env, cwd = root, minutes = 50 } = {}) {
  return new Promise((done) => {
    const [name, ...args] = command
    const child = spawn(name, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const all = []
    const out = []
    let late = false
    const limit = setTimeout(() => {
      late = true
      endGroup(child)
    }, minutes * 60_000)
    const finish = (code, reason) => {
      clearTimeout(limit)
      running.delete(child)
      // The result of a killed command is not used any more.
      if (ending !== undefined) return running.size === 0 && process.exit(ending)
      const output = Buffer.concat(all).toString()
      done({ code, reason, output, stdout: Buffer.concat(out).toString() })
    }
    child.stdout.on('data', (chunk) => {
      all.push(chunk)
      out.push(chunk)
    })
    child.stderr.on('data', (chunk) => all.push(chunk))
    child.on('error', (error) => finish(127, error.message))
    child.on('close', (code, signal) => {
      if (late) finish(1, `not done after ${minutes} minutes`)
      else finish(code ?? 1, code === null ? `ended by ${signal}` : `exit code ${code}`)
    })
  })
}

/** Like `capture`, but throws a `CommandError` if the command fails. */
export async function run(command, options) {
  const result = await capture(command, options)
  if (result.code !== 0) throw new CommandError(command, result)
  return result
}

/** Runs a script of this project and shows its output immediately. Resolves to whether it succeeded. */
export function show(command, options = {}) {
  return new Promise((done) => {
    const [name, ...args] = command
    const child = spawn(name, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
    child.on('error', () => done(false))
    child.on('close', (code) => done(code === 0))
  })
}

/** Formats a duration: "0.4 s", "1 min 12 s". */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Name of the step whose line is not finished; the output of a concurrent step starts a new line. */
let open

function begin(name) {
  process.stdout.write(`${open === undefined ? '' : '\n'}  ${name} ... `)
  open = name
}

function end(name, text) {
  if (open !== name) begin(name)
  process.stdout.write(`${text}\n`)
  open = undefined
}

/** Runs a named step and prints its time; `work` may return a note to print with it. */
export async function step(name, work) {
  const start = performance.now()
  begin(name)
  try {
    const note = await work()
    const took = duration(performance.now() - start)
    end(name, typeof note === 'string' ? `${took} (${note})` : took)
  } catch (error) {
    end(name, `failed after ${duration(performance.now() - start)}`)
    throw error
  }
}

/** Runs a script's main function; errors are printed, and set the exit code. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    process.exitCode = 1
    const output = error instanceof CommandError && error.output ? `${error.output.trimEnd()}\n` : ''
    process.stderr.write(`${output}${error?.message ?? error}\n`)
  }
}
