/** Texts that try to run or load something, to cover the page, or to stop it. */
const HOSTILE = [
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
]

/** A session whose every text, name and argument is hostile; a line of five million characters comes last. */
export function hostileChat(): string {
  const messages: object[] = [{ role: 'user', content: HOSTILE.join('\n\n') }]
  const tools = ['bash', 'read_file', 'search', 'edit_file', 'other']
  HOSTILE.forEach((text, i) => {
    const args = { path: text, command: text, pattern: text, old_string: text, new_string: `${text}!` }
    const call = {
      id: `c${i}`,
      type: 'function',
      function: { name: tools[i % tools.length], arguments: JSON.stringify(args) },
    }
    messages.push(
      { role: 'assistant', content: text, reasoning_content: text, tool_calls: [call] },
      {
        role: 'tool',
        tool_call_id: `c${i}`,
        content: i === HOSTILE.length - 1 ? 'x'.repeat(5_000_000) : text,
      },
    )
  })
  return JSON.stringify(messages)
}
