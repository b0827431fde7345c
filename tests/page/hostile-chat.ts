/** A row of a table with as many cells as it has columns. */
const row = (columns: number, cell: string) => `${`| ${cell} `.repeat(columns)}|\n`

/** Texts that are small to send and large to parse, to lay out or to paint. */
export const BOMBS = [
  // A hundred thousand cells.
  row(100, 'a') + row(100, '-') + row(100, 'x').repeat(1000),
  row(2, 'a') + row(2, '-') + row(2, 'x').repeat(20_000),
  // Fences and code spans of every length, none of which is closed.
  Array.from({ length: 600 }, (_, at) => '`'.repeat(at + 1)).join(' x '),
  '~~~\n```\n'.repeat(5000),
  // Links in links, and definitions that refer to each other.
  `${'[a]('.repeat(5000)}x${')'.repeat(5000)}`,
  `${Array.from({ length: 5000 }, (_, at) => `[a${at}]: <b${at + 1}> "c"`).join('\n')}\n\n${'[a1][a2] '.repeat(5000)}`,
  `${'<a '.repeat(20_000)}`,
  `${'<!-- '.repeat(20_000)}`,
  '&amp;&#0;&#x110000;&nosuch;'.repeat(10_000),
  '\\'.repeat(100_000),
  '\n'.repeat(200_000),
  // Characters that are drawn over each other, or not at all.
  `a${'\u0301'.repeat(100_000)}`,
  '\u200b\u200d\ufe0f\u2060'.repeat(25_000),
  '\ufdfd'.repeat(5000),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'.repeat(5000),
  '\u202e\u2067'.repeat(20_000),
  // A word that is broken on each line: browsers shape its rest again.
  'A'.repeat(100_000),
  // Addresses without a place to break.
  `https://example.org/${'a'.repeat(200_000)}`,
  `[x](https://example.org/${'%61'.repeat(50_000)})`,
  `www.${'a.'.repeat(20_000)}org user@${'a.'.repeat(20_000)}org`,
  // JSON as deep as a stack, and numbers that no number holds.
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"n":1e999999,"m":-0,"o":${'9'.repeat(100_000)},"__proto__":{"p":1},"a":1,"a":2}`,
  `[${'1e400,'.repeat(50_000)}1]`,
  // Images in addresses, and drawings with pages in them.
  `![x](data:image/gif;base64,R0lGODlh//8//w${'A'.repeat(100_000)}) ![y](data:text/html,<script>parent.pwned=1</script>)`,
  '<svg><foreignObject width=99999 height=99999><iframe src="javascript:parent.pwned=1"></iframe><body xmlns="http://www.w3.org/1999/xhtml" onload="window.pwned=1"><p style="position:fixed;inset:0">x</p></body></foreignObject></svg>',
  '<math href="javascript:window.pwned=1"><maction actiontype="statusline#x" xlink:href="javascript:window.pwned=1">x</maction><annotation-xml encoding="text/html"><img src=x onerror=window.pwned=1></annotation-xml></math>',
  '<form id=composer><input name=attributes></form><a id=transport name=value href="javascript:window.pwned=1">x</a><img name=querySelector>',
  '<dialog open>x</dialog><div popover=manual style="all:initial">x</div><slot><portal src="https://example.org">x</portal>',
]

/** Texts that try to run or load something, to cover the page, or to stop it. */
export const HOSTILE = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '<svg onload="window.pwned=1"><script>window.pwned=1</script></svg>',
  '<svg><animate onbegin="window.pwned=1" attributeName=x dur=1s></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=1></style></mglyph></table></mtext></math>',
  '<iframe src="javascript:window.pwned=1"></iframe>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<a href="javascript:window.pwned=1">link</a>',
  '<a href="data:text/html,<script>window.pwned=1</script>">link</a>',
  '<a href="vbscript:msgbox(1)" onclick="window.pwned=1">link</a>',
  '[link](javascript:window.pwned=1)',
  '[link](JaVaScRiPt&colon;window.pwned=1)',
  '[link](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==)',
  '[fine](https://example.org/page)',
  '![image](https://example.org/track.png)',
  '![image](x" onerror="window.pwned=1)',
  '<details open ontoggle="window.pwned=1"><summary>x</summary></details>',
  '<body onload="window.pwned=1">',
  '<form action="https://example.org"><input autofocus onfocus="window.pwned=1"><button>go</button></form>',
  '<style>*{display:none!important}</style>',
  '<p style="position:fixed;inset:0;background:red;z-index:9999">cover</p>',
  '<link rel="stylesheet" href="https://example.org/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://example.org">',
  '<base href="https://example.org/">',
  '<object data="https://example.org/x.swf"></object><embed src="https://example.org/x">',
  '<video src="https://example.org/x.mp4" autoplay onplay="window.pwned=1"></video>',
  '<template><script>window.pwned=1</script></template><noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
  '<div id="app">clobbered</div><form name="body"></form>',
  '```html\n<script>window.pwned=1</script>\n```',
  '`<img src=x onerror=window.pwned=1>`',
  '| a | b |\n| - | - |\n| <img src=x onerror=window.pwned=1> | [x](javascript:1) |',
  '\u202egnp.exe\u202c and \u2066isolated\u2069 and \u200fright to left',
  '\u001b]0;title\u0007\u001b[2J\u001b[1;1H\u001b[31mred\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007',
  '\u0000\u0001\u0008\u007f control',
  `${'unbroken'.repeat(4000)}`,
  `${'> '.repeat(400)}deep`,
  `${'['.repeat(3000)}`,
  `${'*a '.repeat(3000)}`,
  `${'| x '.repeat(400)}|\n${'| - '.repeat(400)}|`,
  '𝕳'.repeat(3000),
  // Texts that a browser or a parser reads differently than they look.
  '[x](javascript&#58;window.pwned=1) [y](java&#x09;script:window.pwned=1) [z](&#106;avascript:window.pwned=1)',
  '[x](\u0001javascript:window.pwned=1) [y](java\nscript:window.pwned=1) <javascript:window.pwned=1>',
  '[x]: javascript:window.pwned=1\n\n[x] [x][] ![x]',
  '![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9IndpbmRvdy5wd25lZD0xIi8+)',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=window.pwned=1/>#x"/></svg>',
  '<!--><img src=x onerror=window.pwned=1>--><!-- --!><img src=x onerror=window.pwned=1>',
  '<![CDATA[<img src=x onerror=window.pwned=1>]]><?php window.pwned=1 ?>',
  '$$\\href{javascript:window.pwned=1}{x}$$ \\(\\unicode{<img src=x onerror=window.pwned=1>}\\)',
  'note[^1]\n\n[^1]: <img src=x onerror=window.pwned=1>',
  '```"><img src=x onerror=window.pwned=1>\ncode\n```',
  '~~~constructor\n__proto__\n~~~',
  '# '.repeat(20_000),
  `${'> '.repeat(10_000)}deep`,
  `${'- '.repeat(10_000)}deep`,
  '_a'.repeat(50_000),
  `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${`${'|x'.repeat(1000)}|\n`.repeat(5)}`,
  `Z${'\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(400)}algo`.repeat(10),
  'if (admin\u202e\u2066// only admins\u2069\u2066) {\u202c \u061c\u200b\u2060\ufeff\u00ad',
  '\ud800 lone \udc00 surrogates \ud83d',
  '\ufffd lone \ufffd surrogates \ufffd',
  '\u0000\ufffe\uffff\u2028\u2029\u0085 separators',
  '\u001b[31m\u001b[1;4;7;38;5;200m\u001b[48;2;1;2;3mx'.repeat(20_000),
  '\u001b[999999999999999999999;31mx\u001b[38;5;99999m\u001b[;;;;;;;;;;m\u009b31my',
  '\r'.repeat(5000),
  'a\tb'.repeat(5000),
  // Structures in structures.
  `${'1. '.repeat(5000)}deep`,
  `${'> - 1. '.repeat(3000)}deep`,
  Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- item`).join('\n'),
  Array.from({ length: 400 }, (_, at) => `${'   '.repeat(at)}1. item`).join('\n'),
  Array.from({ length: 300 }, (_, at) => `${'> '.repeat(at)}| a | b |\n${'> '.repeat(at)}| - | - |`).join(
    '\n',
  ),
  Array.from(
    { length: 300 },
    (_, at) => `${'  '.repeat(at)}- > | a | b |\n${'  '.repeat(at)}  > | - | - |`,
  ).join('\n'),
  `| a |\n| - |\n| ${'`'.repeat(5000)} ${'**_'.repeat(3000)} |`,
  `${'**a _b '.repeat(4000)}`,
  `${'![['.repeat(3000)}${']()'.repeat(3000)}`,
  `${'<div>'.repeat(5000)}`,
  // Images of any size, and of the page itself.
  '![x](data:image/png;base64,iVBORw0KGgo= =1000000x1000000) <img width=1000000 height=1000000 src="data:image/png;base64,iVBORw0KGgo=">',
  '<svg width="1000000" height="1000000" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>',
  `![x](data:image/png;base64,${'A'.repeat(100_000)})`,
  // Addresses that run something, wherever an address can be.
  '[![x](javascript:window.pwned=1)](javascript:window.pwned=1 "javascript:window.pwned=1")',
  '# [x](javascript:window.pwned=1)\n- [x](vbscript:window.pwned=1)\n> [x](data:text/html,<script>window.pwned=1</script>)',
  '<javascript:window.pwned=1> <vbscript:window.pwned=1> <data:text/html,<script>parent.pwned=1</script>>',
  'javascript:window.pwned=1 vbscript:window.pwned=1 data:text/html,<script>parent.pwned=1</script> file:///etc/passwd',
  '[x]: vbscript:window.pwned=1\n[y]: data:text/html,<script>parent.pwned=1</script>\n[z]: <  javascript:window.pwned=1>\n\n[x] [y] [z]',
  '[x](blob:null/1) [y](filesystem:x) [z](view-source:javascript:window.pwned=1) [w](intent://x#Intent;end) [v](//example.org)',
  '<svg><a xlink:href="javascript:window.pwned=1"><text>x</text></a></svg><area href="javascript:window.pwned=1">',
  '<button formaction="javascript:window.pwned=1">x</button><isindex action="javascript:window.pwned=1">',
  '[x](https://example.org/\u202egnp.exe) [y](https://user:password@example.org) [z](https://xn--80ak6aa92e.com)',
  // Terminals.
  '\u001b[999999999B\u001b[999999999C\u001b[999999999;999999999H\u001b[999999999@\u001b[999999999L\u001b[999999999Sx',
  '\u001b]52;c;d2luZG93LnB3bmVk\u0007\u001b]8;;data:text/html,<script>parent.pwned=1</script>\u001b\\x\u001b]8;;\u001b\\',
  '\u001b]0;a title without an end',
  '\u001b[2J'.repeat(20_000),
  // Names of files.
  'src/\u202egpj.exe\u202c/\u2066a\u0000b.ts',
  '../../../../etc/passwd\u0000.ts',
  '<img src=x onerror=window.pwned=1>/"><script>window.pwned=1</script>.ts:1:',
]

/** Names of tools that look like something else. */
export const HOSTILE_NAMES = [
  '<img src=x onerror=window.pwned=1>',
  '\u202ehsab\u202c',
  '\u2066\u2067nested',
  'a\u0000b',
  '\ud800',
  'javascript:window.pwned=1',
  'n'.repeat(50_000),
  '\u001b[31mred\u001b]0;title\u0007\r\n\t\u0085\u2028',
  `a${'\u0301'.repeat(5000)}`,
]

/** Names of properties that every object inherits. */
const OWN = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

/**
 * Returns a session in which every text, name and argument is hostile. The last message has a line of five million
 * characters.
 */
export function hostileChat(): string {
  const messages: object[] = [{ role: 'user', content: HOSTILE.join('\n\n') }]
  for (const text of HOSTILE)
    messages.push({ role: 'user', name: text, content: [imageOf(text), { type: 'text', text }] })
  const tools = ['bash', 'read_file', 'search', 'edit_file', 'other', ...OWN, ...HOSTILE_NAMES]
  HOSTILE.forEach((text, i) => {
    const args = JSON.parse(
      JSON.stringify({ path: text, command: text, pattern: text, old_string: text, new_string: `${text}!` })
        // As JSON text, so that `__proto__` becomes an own key.
        .replace(/\}$/, ',"__proto__":{"path":"x"},"constructor":1}'),
    )
    const call = {
      id: OWN[i] ?? `c${i}`,
      type: 'function',
      function: { name: tools[i % tools.length], arguments: JSON.stringify(args) },
    }
    messages.push(
      { role: 'assistant', content: text, reasoning_content: text, tool_calls: [call] },
      {
        role: 'tool',
        tool_call_id: call.id,
        content: i === HOSTILE.length - 1 ? 'x'.repeat(5_000_000) : text,
      },
    )
  })
  return JSON.stringify(messages)
}

/** Returns a session in which each of `BOMBS` is an answer, a thought, the arguments of a call, and its result. */
export function bombChat(): string {
  const tools = ['bash', 'read_file', 'search', 'edit_file', 'other', ...HOSTILE_NAMES]
  const messages = BOMBS.flatMap((text, at) => {
    const args = { path: text, command: text, pattern: text, old_string: 'x', new_string: text }
    const named = { name: tools[at % tools.length], arguments: JSON.stringify(args) }
    return [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: text,
        reasoning_content: text,
        tool_calls: [{ id: `c${at}`, type: 'function', function: named }],
      },
      { role: 'tool', tool_call_id: `c${at}`, content: text },
    ]
  })
  return JSON.stringify(messages)
}

/** An image that says to be larger than any screen. */
const imageOf = (url: string) => ({
  type: 'image_url',
  image_url: { url, detail: url, width: 1e9, height: 1e9 },
})
