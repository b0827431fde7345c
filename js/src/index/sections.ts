import { called, check, countFrom, LIST, OBJECT, readable, TEXT } from '../base/check.js'
import type { IndexSection } from './types.js'

/** Sections as passed to the engine: each name followed by a line feed, and each first and last line. */
export interface PackedSections {
  names: string
  lines: Uint32Array
}

/** Kinds of sections that define no name other files refer to. */
const UNNAMED = new Set(['block', 'element', 'heading', 'impl', 'key', 'rule', 'table', 'test'])

const NONE: PackedSections = { names: '', lines: new Uint32Array() }

const SECTIONS = called(LIST, 'an array of {startLine, endLine, name?}')
const LINE = called(countFrom(1), 'the number of a line, from 1 on')

/** @throws {TrimtabError} `invalid_option`. */
export function packSections(sections: readonly IndexSection[] | undefined): PackedSections {
  if (sections === undefined) return NONE
  check('sections', sections, SECTIONS)
  return readable('sections', () => packed(sections))
}

function packed(sections: readonly IndexSection[]): PackedSections {
  const lines = new Uint32Array(2 * sections.length)
  let names = ''
  sections.forEach((section: IndexSection, at) => {
    const argument = `sections[${at}]`
    check(argument, section, OBJECT)
    const { name = '', kind = '', startLine, endLine } = section
    check(`${argument}.name`, name, TEXT)
    lines[2 * at] = check(`${argument}.startLine`, startLine, LINE)
    lines[2 * at + 1] = check(`${argument}.endLine`, endLine, LINE)
    // A name is one identifier or empty; a name with a line feed is no identifier.
    names += `${UNNAMED.has(kind) || name.includes('\n') ? '' : name}\n`
  })
  return { names, lines }
}

/** Returns the name of the innermost section that contains a line. */
export function sectionAt(sections: readonly IndexSection[] | undefined, line: number): string | null {
  let innermost: IndexSection | undefined
  for (const section of sections ?? []) {
    const isIn = section.startLine <= line && line <= section.endLine && (section.name ?? '') !== ''
    if (isIn && (innermost === undefined || length(section) <= length(innermost))) innermost = section
  }
  return innermost?.name ?? null
}

const length = ({ startLine, endLine }: IndexSection): number => endLine - startLine
