import { createReadTool, createTools, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'

describe('createReadTool', () => {
  const large = { 'large.txt': 'a line of some text\n'.repeat(2000) }

  test('limits reads to 3000 tokens by default, except ephemeral ones', async () => {
    const read = createTools(createWorkspace({ memory: large }))[0] as Tool
    const refused = await read.execute({ file_paths: ['large.txt'] })
    expect(refused.content).toMatch(
      /^Error: File\(s\) too large: estimated 11428\.6 tokens exceeds limit of 3000\. Use grep\/glob .* Or use ephemeral=true/,
    )
    const taken = await read.execute({ file_paths: ['large.txt'], ephemeral: 'true' })
    expect(taken).toMatchObject({
      isError: false,
      ephemeral: true,
      read: { files_read: 1, _ephemeral: true },
    })
    expect(taken.content).toMatch(/^\[EPHEMERAL READ: [^\n]*\]\n\n=== large\.txt ===\n {5}1\ta line/)
  })

  test('has no limit with limits: false', async () => {
    const read = createReadTool(createWorkspace({ memory: large }), { limits: false })
    expect(await read.execute({ file_paths: 'large.txt' })).toMatchObject({
      isError: false,
      ephemeral: false,
    })
  })

  test('offers no ephemeral reads with ephemeral: false', async () => {
    const read = createReadTool(createWorkspace({ memory: large }), { ephemeral: false })
    expect((read.parameters as { properties: object }).properties).not.toHaveProperty('ephemeral')
    expect(await read.execute({ file_paths: ['large.txt'], ephemeral: true })).toMatchObject({
      isError: true,
    })
  })

  test('reads from a custom source', async () => {
    const read = createReadTool({ readFile: async (path) => `I am ${path}` }, { name: 'read' })
    expect(read.name).toBe('read')
    expect((await read.execute({ file_paths: ['x'] })).content).toBe('=== x ===\n     1\tI am x')
  })
})

test('the read tool has the parameters of document "ReadTool Improvements"', () => {
  const { parameters } = createReadTool(createWorkspace({ memory: {} }))
  expect(parameters.required).toEqual(['file_paths'])
  expect(parameters.properties).toMatchObject({
    file_paths: { type: 'array', items: { type: 'string' }, description: 'Array of file paths to read' },
    limit: { type: 'integer', description: 'Maximum lines to read per file (0 = all lines)' },
    offset: { type: 'integer', description: 'Start reading from this line number (1-based)' },
  })
})
