// Definitions by universal-ctags, which reads C and C++ without the preprocessor, as an outline must.
import { macroTests } from './macro-tests.js'
import { output } from './run.js'

/** Kinds of ctags that are top-level definitions, and kinds that are members. */
const KINDS = {
  c: { of: 'C', top: ['function', 'prototype', 'struct', 'union', 'enum', 'typedef', 'macro'], member: [] },
  cpp: {
    of: 'C++',
    top: ['function', 'prototype', 'class', 'struct', 'union', 'enum', 'typedef', 'macro'],
    member: ['function', 'prototype'],
  },
  markdown: { of: 'Markdown', top: ['chapter', 'section'], member: ['subsection'] },
}
const OPTIONS = ['--output-format=json', '--fields=+neKSsZ', '--kinds-all=*', '-o', '-']
const HOLDS_MEMBERS = new Set(['class', 'struct', 'union', 'chapter', 'section'])

const definition =
  ({ top, member }) =>
  ({ name, line, kind, scope, scopeKind }) => {
    if ((scope === undefined || scopeKind === 'namespace') && top.includes(kind))
      return [{ name, line, rank: 'top' }]
    return member.includes(kind) && HOLDS_MEMBERS.has(scopeKind) ? [{ name, line, rank: 'member' }] : []
  }

export const byCtags = (language) => {
  const kinds = KINDS[language]
  return ({ path, content }) => {
    const tests = language === 'cpp' ? macroTests(content) : []
    // ctags takes the code of such a test for the top level.
    const isInTest = ({ line }) => tests.some((test) => test.line < line && line <= test.endLine)
    const lines = output(['ctags', ...OPTIONS, `--language-force=${kinds.of}`, path])
    if (lines === undefined) return undefined
    const tags = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return (
      tags
        .filter(({ name, _type }) => _type === 'tag' && !/^__anon|^anonymous/.test(name))
        // A name in capitals taken for a function is a macro call.
        .filter(({ name, kind }) => !/^(function|prototype)$/.test(kind) || /[a-z]|^operator/.test(name))
        // A macro without parameters is a constant or a header guard, not a definition.
        .filter(({ kind, signature }) => kind !== 'macro' || signature !== undefined)
        .flatMap(definition(kinds))
        .filter((found) => found.rank !== 'top' || !isInTest(found))
        .concat(tests.map(({ name, line }) => ({ name, line, rank: 'test' })))
    )
  }
}
