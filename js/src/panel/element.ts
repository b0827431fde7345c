import type { Context } from '../projection/context.js'
import type { Report } from '../projection/types.js'
import { contentsOf } from './contents.js'
import { type Drawing, draw, type Shown } from './draw.js'
import { STYLES } from './styles.js'
import type { ContextPanel } from './types.js'

const PROPERTIES = ['context', 'report', 'window'] as const

/** Creates the element's class. Called on definition, since a server has no `HTMLElement`. */
export function panelClass(): new () => ContextPanel {
  let styles: CSSStyleSheet | undefined

  return class extends HTMLElement implements ContextPanel {
    static readonly observedAttributes = ['window']
    #context: Context | null = null
    #ignore: (() => void) | undefined
    #report: Report | null = null
    #window: number | null = null
    #requests: Shown['requests'] = []
    #drawing: Drawing | undefined
    #isDue = false

    get context(): Context | null {
      return this.#context
    }

    set context(context: Context | null) {
      if (context === this.#context) return
      this.#ignore?.()
      this.#ignore = undefined
      this.#context = context
      this.clear()
      if (this.isConnected) this.#listen()
    }

    get report(): Report | null {
      return this.#report
    }

    set report(report: Report | null) {
      // A framework sets the same value again with each rendering.
      if (report === this.#report) return
      this.#report = report
      if (report !== null)
        this.#requests = [...this.#requests, { full: report.tokensBefore, sent: report.tokensAfter }]
      this.#redraw()
    }

    get window(): number | null {
      return this.#window
    }

    set window(tokens: number | null) {
      this.#window = typeof tokens === 'number' && tokens > 0 ? tokens : null
      this.#redraw()
    }

    clear(): void {
      this.#requests = []
      this.#report = null
      this.#redraw()
    }

    attributeChangedCallback(_: string, __: string | null, value: string | null): void {
      this.window = value === null ? null : Number(value)
    }

    connectedCallback(): void {
      this.#takeEarlier()
      if (this.#drawing === undefined) {
        styles ??= sheet()
        const root = this.attachShadow({ mode: 'open' })
        root.adoptedStyleSheets = [styles]
        this.#drawing = draw(root)
      }
      this.#listen()
      this.#redraw()
    }

    disconnectedCallback(): void {
      this.#ignore?.()
      this.#ignore = undefined
    }

    /**
     * Applies properties set before the element was defined: they are own properties, which hide the class's setters.
     */
    #takeEarlier(): void {
      for (const name of PROPERTIES) {
        if (!Object.hasOwn(this, name)) continue
        const value = this[name] as never
        delete (this as Partial<Record<typeof name, unknown>>)[name]
        this[name] = value
      }
    }

    #listen(): void {
      this.#ignore ??= this.#context?.onView(({ report }) => {
        this.report = report
      })
    }

    /** Redraws at most once per animation frame. */
    #redraw(): void {
      if (this.#isDue || this.#drawing === undefined) return
      this.#isDue = true
      requestAnimationFrame(() => {
        this.#isDue = false
        const contents = this.#report === null ? null : contentsOf(this.#report)
        this.#drawing?.show({ contents, requests: this.#requests, window: this.#window })
      })
    }
  }
}

function sheet(): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(STYLES)
  return made
}
