import { asText, TrimtabError } from '../base/error.js'
import type { ProblemReport } from '../generated/protocol.js'
import type { CompiledModule, WasmBytes, WasmMemory } from './wasm-types.js'

/** The part of wasm-bindgen's generated module that is needed to start a wasm file. */
export interface Glue {
  initSync(source: { module: WasmBytes | CompiledModule }): { memory: WasmMemory }
  __wbg_reset_state(): void
}

/**
 * One of the package's wasm files. It starts at first use. A trap leaves an instance unusable, so it is
 * replaced. Nothing is lost: its memory contains only what can be read again.
 */
export class WasmModule {
  readonly #glue: Glue
  readonly #init: string
  #provided: (() => WasmBytes | CompiledModule) | undefined
  #isStarted = false
  #generation = 0

  /** @param init The function of `trimtab/slim` that starts it, for messages. */
  constructor(glue: Glue, init: string) {
    this.#glue = glue
    this.#init = init
  }

  /**
   * Sets the source for the start at first use. Called by the entry point that contains the wasm file. The
   * first source is kept: where bytes cannot be compiled, an entry provides a module, and modules imported
   * later provide bytes.
   */
  provide(source: () => WasmBytes | CompiledModule): void {
    this.#provided ??= source
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Starts it from bytes or a compiled module. A second call changes nothing. */
  start(module: WasmBytes | CompiledModule): void {
    if (this.#isStarted) return
    try {
      this.#glue.initSync({ module })
    } catch (cause) {
      throw notStarted('the engine does not start', cause)
    }
    this.#isStarted = true
  }

  /** Number of restarts. Objects of an earlier generation are invalid and must be created again. */
  get generation(): number {
    this.#ensureStarted()
    return this.#generation
  }

  /** The memory of the current instance. The glue returns it when it is started a second time. */
  get memory(): WasmMemory {
    this.#ensureStarted()
    return this.#glue.initSync({ module: new Uint8Array() }).memory
  }

  /** Runs a call into the instance and converts what it throws into a {@link TrimtabError}. */
  enter<T>(call: () => T): T {
    this.#ensureStarted()
    try {
      return call()
    } catch (thrown) {
      throw this.#asTrimtabError(thrown)
    }
  }

  #ensureStarted(): void {
    if (this.#isStarted) return
    if (this.#provided === undefined) {
      const advice = `call and await ${this.#init}() first, or import 'trimtab', which needs none`
      throw new TrimtabError('not_initialised', `trimtab/slim is not initialised: ${advice}`)
    }
    this.start(this.#provided())
  }

  /** Replaces the instance with a new one. */
  protected restart(): void {
    this.#glue.__wbg_reset_state()
    this.#generation++
  }

  #asTrimtabError(thrown: unknown): TrimtabError {
    if (thrown instanceof TrimtabError) return thrown
    if (isProblem(thrown)) {
      const { code, message, ...details } = thrown
      return new TrimtabError(code, message, details)
    }
    this.restart()
    const message = `the engine failed and was restarted; repeat the call: ${asText(thrown)}`
    return new TrimtabError('engine_failed', message, { cause: thrown })
  }
}

/** Messages of JavaScript engines when a host forbids compilation, and advice for each. */
const REFUSALS = [
  {
    pattern: /disallowed by embedder/,
    advice: "this host compiles no bytes; bundle with the condition 'workerd', or pass a WebAssembly.Module",
  },
  {
    pattern: /unsafe-eval|Content Security Policy/,
    advice: "the page's Content Security Policy needs 'wasm-unsafe-eval' in its script-src",
  },
]

/**
 * The error of a wasm file that could not be started. Hosts that compile nothing at run time need a compiled
 * module.
 */
export function notStarted(what: string, cause: unknown, argument?: 'source'): TrimtabError {
  const refusal = REFUSALS.find(({ pattern }) => pattern.test(asText(cause)))
  const advice = refusal === undefined ? '' : `: ${refusal.advice} (docs/guides/hosts.md)`
  const details = argument === undefined ? { cause } : { cause, argument }
  return new TrimtabError('initialisation_failed', `${what}: ${asText(cause)}${advice}`, details)
}

function isProblem(thrown: unknown): thrown is ProblemReport {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) && 'code' in thrown
}

/**
 * Decodes bytes stored as text in a source file, as written by `scripts/lib/byte-text.mjs`. A byte is one
 * character or two.
 */
export function fromByteText(text: string): ArrayBuffer {
  const numbers = new Uint8Array(127)
  let count = 0
  for (let code = 32; code < 127; code++)
    if (!'"$\'<\\`'.includes(String.fromCharCode(code))) numbers[code] = count++
  // The last two characters of the alphabet begin a pair.
  const alone = count - 2
  const half = Math.ceil((256 - alone) / 2)
  const bytes = new Uint8Array(text.length)
  let length = 0
  let base = 0
  for (let i = 0; i < text.length; i++) {
    const number = numbers[text.charCodeAt(i)] as number
    if (number >= alone) base = alone + half * (number - alone)
    else {
      bytes[length++] = base + number
      base = 0
    }
  }
  return bytes.slice(0, length).buffer
}
