import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { BoundedTokenizer } from './bounded-tokenizer.js'

/** Longer texts are shown as they are: the page must not stand still for one. */
const LONGEST = 200_000

/** Where a link of a model's may lead. */
const WEB = /^https?:\/\//i

// Markup in Markdown is text here: what is not made cannot run, and DOMPurify has nothing to parse that the page's
// policy would report.
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

// `new Marked` takes functions of a tokenizer, and no methods of a class.
marked.setOptions({ tokenizer })

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Elements of prose, and nothing that loads, runs, styles or covers. */
const TAGS =
  'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul'.split(
    ' ',
  )

const purify = DOMPurify()
// Whoever follows a link of a model's leaves the page as it is, and tells nobody where they came from.
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
  node.setAttribute('title', node.getAttribute('href') ?? '')
})

/** So many short texts stay made: rows come and go as a long thread is looked through. */
const [KEPT, SHORT] = [500, 4000]
const kept = new Map<string, string>()

/** Markdown of a model as markup that cannot run or load anything; `null` for a text that is too long or cannot be read. */
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

/** A document that nothing loads or runs in. One for all texts: to make one for each took most of the time. */
const inert = document.implementation.createHTMLDocument('')

function cleanHtml(text: string): string | null {
  // One of the elements that may stay, or what is in it would not be looked at.
  const box = inert.createElement('blockquote')
  const html = parsed(text)
  if (html === null) return null
  box.innerHTML = html
  purify.sanitize(box, {
    IN_PLACE: true,
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'start'],
    ALLOWED_URI_REGEXP: WEB,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  for (const code of box.querySelectorAll('pre')) withCopy(code)
  return box.innerHTML
}

/** The class of the button that copies a block of code. No text of a model can have one: classes are taken out before. */
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
    return marked.parse(text) as string
  } catch {
    // Whatever it is, it can be read as it was written.
    return null
  }
}
