import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { BoundedTokenizer } from './bounded-tokenizer.js'
import { withoutTowers } from './towers.js'

/** Maximum length of a text to render; longer ones are shown as plain text, as they would block the page. */
const LONGEST = 200_000

/** Allowed targets of links written by a model. */
const WEB = /^https?:\/\//i

// HTML in Markdown is shown as text. Elements that are never created cannot run, and DOMPurify parses nothing that
// would violate the page's policy.
const tokenizer = new BoundedTokenizer()
const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text, href }) => escaped(`[image: ${text || href}]`),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      return WEB.test(href) ? `<a href="${escaped(href)}">${words}</a>` : words
    },
  },
})

// `new Marked` accepts functions of a tokenizer, but not methods of a class.
marked.setOptions({ tokenizer })

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Allowed elements: prose, and nothing that loads, runs, styles or covers. */
const TAGS =
  'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul'.split(
    ' ',
  )

/** The class that `marked` sets for the language of a code block: the only class that a model's text can contain. */
const LANGUAGE = /^language-([\w+#.-]{1,30})$/

/** The language of a code element made by {@link markdownHtml}; empty if the text does not name one. */
export const languageIn = (code: Element): string => LANGUAGE.exec(code.className)?.[1]?.toLowerCase() ?? ''

const purify = DOMPurify()
purify.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (attribute.attrName !== 'class') return
  const isOfCode = node.nodeName === 'CODE' && node.parentNode?.nodeName === 'PRE'
  if (!isOfCode || !LANGUAGE.test(attribute.attrValue)) attribute.keepAttr = false
})
// A link written by a model opens in a new tab, without access to this page and without a referrer.
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
  node.setAttribute('title', node.getAttribute('href') ?? '')
})

/**
 * Number of cached texts, and the maximum length of one: rows are removed and created again while a long thread is
 * scrolled.
 */
const [KEPT, SHORT] = [200, 25_000]
const kept = new Map<string, string>()

/**
 * Converts a model's Markdown to HTML that cannot run or load anything; `null` if the text is too long or cannot be
 * parsed.
 */
export function markdownHtml(text: string): string | null {
  if (text.length > LONGEST) return null
  const known = kept.get(text)
  if (known !== undefined) return known
  const html = cleanHtml(text)
  if (html === null) return null
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= KEPT) kept.delete(oldest)
  if (text.length <= SHORT) kept.set(text, html)
  return html
}

/** A document in which nothing loads or runs. Shared by all texts: creating one for each took most of the time. */
const inert = document.implementation.createHTMLDocument('')

function cleanHtml(text: string): string | null {
  // Must be an allowed element: DOMPurify would not check the content of another one.
  const box = inert.createElement('blockquote')
  const html = parsed(text)
  if (html === null) return null
  box.innerHTML = html
  purify.sanitize(box, {
    IN_PLACE: true,
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'start', 'class'],
    ALLOWED_URI_REGEXP: WEB,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  if (RIGHT_TO_LEFT.test(text)) setDirections(box)
  for (const code of box.querySelectorAll('pre')) withCopy(code)
  return box.innerHTML
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Gives each block the direction of its words. Code is always written from left to right, and decides for no block. */
function setDirections(box: Element): void {
  for (const block of box.children) block.setAttribute('dir', 'auto')
  for (const code of box.querySelectorAll('pre, code')) code.setAttribute('dir', 'ltr')
}

/** Class of the button that copies a code block. A model's text cannot contain it, as other classes are removed first. */
export const COPY_CODE = 'copy-code'

function withCopy(code: Element): void {
  const frame = inert.createElement('div')
  frame.className = 'code'
  const button = inert.createElement('button')
  button.type = 'button'
  button.className = COPY_CODE
  button.textContent = 'Copy'
  code.replaceWith(frame)
  frame.append(code, button)
}

function parsed(text: string): string | null {
  try {
    tokenizer.reset()
    return marked.parse(withoutTowers(text)) as string
  } catch {
    // The caller shows the text unrendered.
    return null
  }
}
