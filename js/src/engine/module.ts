import { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from '../base/error.js'

/** What wasm-bindgen makes beside a wasm file, as far as starting it needs. */
export interface Glue {
  initSync(source: { module: BufferSource | WebAssembly.Module }): { memory: WebAssembly.Memory }
  __wbg_reset_state(): void
}

/**
 * One of the package's wasm files. It starts once, when it is first used; a trap leaves an instance unusable, so it is
 * replaced. Nothing is lost with it: its memory holds only what can be read again.
 */
export class WasmModule {
  readonly #glue: Glue
  readonly #init: string
  #provided: (() => BufferSource | WebAssembly.Module) | undefined
  #isStarted = false
  #generation = 0

  /** @param init The function of `trimtab/slim` that starts it, for messages. */
  constructor(glue: Glue, init: string) {
    this.#glue = glue
    this.#init = init
  }

  /**
   * Lets it start by itself when it is first used: set by the entry point that brings it. The first one stays: where bytes
   * cannot be compiled, an entry brings a module, and rooms that bring bytes themselves come after it.
   */
  provide(source: () => BufferSource | WebAssembly.Module): void {
    this.#provided ??= source
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Starts it from bytes or a compiled module. A second call changes nothing. */
  start(module: BufferSource | WebAssembly.Module): void {
    if (this.#isStarted) return
    try {
      this.#glue.initSync({ module })
    } catch (cause) {
      throw notStarted('the engine does not start', cause)
    }
    this.#isStarted = true
  }

  /** Counts the restarts: what belongs to an earlier generation is gone and must be made again. */
  get generation(): number {
    this.#ensureStarted()
    return this.#generation
  }

  /** The memory of the instance that runs now, with which the glue answers a second start. */
  get memory(): WebAssembly.Memory {
    this.#ensureStarted()
    return this.#glue.initSync({ module: new Uint8Array() }).memory
  }

  /**
   * Runs a call into the instance and turns what it throws into a {@link TrimtabError}.
   *
   * @param option The option that is at fault where it says `invalid_option`.
   */
  enter<T>(call: () => T, option?: string): T {
    this.#ensureStarted()
    try {
      return call()
    } catch (thrown) {
      throw this.#asTrimtabError(thrown, option)
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

  /** Replaces the instance by a new one. */
  protected restart(): void {
    this.#glue.__wbg_reset_state()
    this.#generation++
  }

  #asTrimtabError(thrown: unknown, option: string | undefined): TrimtabError {
    if (thrown instanceof TrimtabError) return thrown
    if (isProblem(thrown)) {
      const details: TrimtabErrorDetails = {}
      if (typeof thrown.index === 'number') details.index = thrown.index
      if (typeof thrown.argument === 'string') details.argument = thrown.argument
      if (thrown.code === 'invalid_option' && option !== undefined) details.argument = option
      return new TrimtabError(thrown.code, thrown.message, details)
    }
    this.restart()
    const message = `the engine failed and was started again; the call can be repeated: ${String(thrown)}`
    return new TrimtabError('engine_failed', message, { cause: thrown })
  }
}

/** What engines say where a host forbids them to compile, and what to do there. */
const REFUSALS = [
  {
    pattern: /disallowed by embedder/,
    advice:
      "this host compiles no bytes; bundle with the condition 'workerd', or pass an imported WebAssembly.Module",
  },
  {
    pattern: /unsafe-eval|Content Security Policy/,
    advice: "the page's Content Security Policy needs 'wasm-unsafe-eval' in its script-src",
  },
]

/** Hosts that compile nothing at run time take what was compiled before. */
export function notStarted(what: string, cause: unknown, argument?: 'source'): TrimtabError {
  const refusal = REFUSALS.find(({ pattern }) => pattern.test(String(cause)))
  const advice = refusal === undefined ? '' : `: ${refusal.advice} (docs/guides/hosts.md)`
  const details = argument === undefined ? { cause } : { cause, argument }
  return new TrimtabError('initialisation_failed', `${what}: ${String(cause)}${advice}`, details)
}

/** `ProblemReport` of `src/wasm/mod.rs`. */
interface EngineProblem {
  code: TrimtabErrorCode
  message: string
  index?: number | null
  argument?: string | null
}

function isProblem(thrown: unknown): thrown is EngineProblem {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) && 'code' in thrown
}

/** Bytes that stand as text in a source file, as `scripts/lib/byte-text.mjs` writes them: a byte is one character, or two. */
export function fromByteText(text: string): ArrayBuffer {
  const numbers = new Uint8Array(127)
  let count = 0
  for (let code = 32; code < 127; code++)
    if (!'"$\'<\\`'.includes(String.fromCharCode(code))) numbers[code] = count++
  // The last two characters begin a pair.
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
