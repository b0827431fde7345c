// Whole sessions: what is called once per turn, over n / 4 turns of a history that grows.
import { mkdtempSync, rmSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context, MessageThread, type Policy, readMessages, rollingContext } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as claudeAgent } from 'trimtab/claude-agent'
import { compact, shouldCompact } from 'trimtab/compaction'
import { trimtab as copilot } from 'trimtab/copilot'
import { convertMessages } from 'trimtab/formats'
import { createIndex, createReadDigests } from 'trimtab/index'
import { trimtab as langchain } from 'trimtab/langchain'
import { trimtab as mastra } from 'trimtab/mastra'
import { createFileReader } from 'trimtab/reading'
import { createResultTracker, processToolResult } from 'trimtab/recipes'
import { fileStore, loadSession, memoryStore, type SessionStore, saveSession } from 'trimtab/sessions'
import { changelog, compressEdits, fileEdits, fileStateAt, fileStates, indexReads } from 'trimtab/timeline'
import { TokenMeter } from 'trimtab/tokens'
import { createTools } from 'trimtab/tools'
import { createWorkspace, Reads } from 'trimtab/workspace'
import { afterAll } from 'vitest'
import { z } from '../plugins/host-tools.js'
import { HISTORIES } from './histories.js'
import { code, type Row, type Rows } from './inputs.js'

export const CLEARING: Policy = { age: { maxToolOutputAge: 0 }, recall: true }

export type Turn = (messages: object[], turn: number) => unknown

/** A session in which `start` makes what is called after each turn, with the history so far. */
export const session =
  (start: () => Turn | Promise<Turn>, all: (n: number) => object[] = HISTORIES.steps): Row =>
  (n) => {
    const messages = all(Math.floor(n / 4))
    return async () => {
      const turn = await start()
      const soFar: object[] = []
      // An array that grows, as a host has it: a copy of it at each turn would be work of this row.
      for (let i = 0; i < messages.length; i += 2) {
        soFar.push(...messages.slice(i, i + 2))
        await turn(soFar, i / 2)
      }
    }
  }

const afterEach =
  (call: (context: Context, messages: object[], view: ReturnType<Context['project']>) => unknown) =>
  (): Turn => {
    const context = new Context(CLEARING)
    return (messages) => call(context, messages, context.project(messages))
  }

/** Sessions in which a turn may not take more work than the first ones: nothing goes through what came before. */
export const STEADY_SESSIONS: Record<string, Rows> = {
  ResultTracker: {
    'other results': session(() => {
      const tracker = createResultTracker()
      return (_, turn) => tracker.track({ id: `c${turn}`, name: 'bash', arguments: '{}' }, `made ${turn}\n`)
    }),
    'the same file, read and written': session(() => {
      const tracker = createResultTracker()
      return (_, turn) => {
        const name = turn % 5 === 0 ? 'write_file' : 'read_file'
        const facts = { id: `c${turn}`, name, arguments: { path: 'src/a.ts', content: 'x' } }
        return processToolResult({ toolCall: facts, result: 'line\n'.repeat(50), tracker } as never)
      }
    }),
    'results of many alike': session(() => {
      const tracker = createResultTracker()
      return (_, turn) =>
        tracker.track(
          { id: `c${turn}`, name: 'read_file', arguments: `{"path":"src/f${turn}.ts"}` },
          'line\n'.repeat(50),
        )
    }),
  },
  FileReader: {
    readFile: session(() => {
      const reader = createFileReader()
      return (_, turn) => reader.readFile({ path: `src/f${turn}.ts`, content: code(40) })
    }),
    'with a conversation of a fixed length': session(() => {
      const conversation = () => [{ role: 'user' as const, content: 'Mend f7.' }]
      const reader = createFileReader({ conversation } as never)
      return () => reader.expand({ path: 'src/a.ts', content: code(40), section: 'f7' })
    }),
  },
  FileIndex: {
    add: session(() => {
      const index = createIndex()
      return (_, turn) => index.add({ path: `src/f${turn}.ts`, content: code(4) })
    }),
    'one file again and again': session(() => {
      const index = createIndex()
      return (_, turn) => index.add({ path: 'src/f.ts', content: code(4 + (turn % 3)) })
    }),
    'add, digest and remove': session(() => {
      const index = createIndex()
      return (_, turn) => {
        index.add({ path: `src/f${turn}.ts`, content: code(4) })
        index.digest(`src/f${turn}.ts`, 'f2')
        if (turn > 10) index.remove(`src/f${turn - 10}.ts`)
      }
    }),
  },
  Workspace: {
    'tools on one file': session(() => {
      const tools = createTools(createWorkspace({ memory: { 'a.md': 'line 0\n'.repeat(40) } }))
      const edit = tools.find(({ name }) => name === 'edit_file')
      const read = tools.find(({ name }) => name === 'read_file')
      return async (_, turn) => {
        await read?.execute({ file_paths: ['a.md'] } as never)
        await edit?.execute({ path: 'a.md', old_string: 'line 0\n', new_string: `row ${turn}\n` } as never)
      }
    }),
    'Reads of new files': session(() => {
      const reads = new Reads()
      return (_, turn) => {
        reads.set(`src/f${turn}.ts`, 'a'.repeat(64))
        reads.digest(`src/f${turn}.ts`)
      }
    }),
  },
}

const onStore = (make: () => SessionStore) => ({
  saveSession: session(() => {
    const store = make()
    return (messages) => saveSession(store, 's', { history: messages })
  }),
  'saveSession with a state': session(() => {
    const [store, context] = [make(), new Context(CLEARING)]
    return (messages) => {
      const { state } = context.project(messages)
      return saveSession(store, 's', { history: messages, state } as never)
    }
  }),
  'loadSession and saveSession': session(() => {
    const store = make()
    return async (messages) => {
      const loaded = await loadSession(store, 's')
      const history = [...(loaded?.session.history ?? []), ...messages.slice(-2)]
      await saveSession(store, 's', { history })
    }
  }),
})

const folders: string[] = []
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trimtab-growth-'))
  folders.push(made)
  return made
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true })
})

const renamed = (name: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([shape, row]) => [`${shape}, ${name}`, row]))

const SENT = (turn: number) => ({ input_tokens: 1000 + 100 * turn, output_tokens: 5 })

/** Sessions in which a turn may go through the history once: n turns are quadratic, and not more. */
export const SESSIONS: Record<string, Rows> = {
  'Context.project': {
    'a view': session(afterEach((_, __, { messages }) => messages.length)),
    ...Object.fromEntries(
      (['talk', 'failures', 'files', 'slices'] as const).map((shape) => [
        `a view, ${shape}`,
        session(() => {
          const context = new Context(rollingContext())
          return (messages) => context.project(messages)
        }, HISTORIES[shape]),
      ]),
    ),
    'copies of the messages': session(() => {
      const context = new Context(rollingContext())
      return (messages) => context.project(structuredClone(messages))
    }),
    calibrate: session(() => {
      const context = new Context(rollingContext())
      return (messages, turn) => {
        context.project(messages)
        context.calibrate(SENT(turn))
      }
    }),
  },
  'Context.recall': {
    recall: session(
      afterEach((context, _, { report }) => {
        const reference = /recall (\w+)/.exec(report.edits.at(-1)?.text ?? '')?.[1]
        return context.answerRecall({ reference })
      }),
    ),
  },
  'Context.endTurn': {
    'endTurn and usage': session(
      afterEach((context, messages) => {
        context.endTurn(messages)
        return context.usage(messages)
      }),
    ),
    'saved and made anew': session(() => {
      let context = new Context(CLEARING)
      return (messages) => {
        context.project(messages)
        context = Context.fromJSON(JSON.parse(JSON.stringify(context)))
      }
    }),
  },
  Report: {
    edits: session(afterEach((_, __, { report }) => report.edits.length)),
    passes: session(afterEach((_, __, { report }) => report.passes.length + report.unbound.length)),
    fixed: session(afterEach((_, __, { report }) => report.fixed.length)),
    cache: session(afterEach((_, __, { report }) => report.cache?.read)),
    warning: session(() => {
      const context = new Context({ ...CLEARING, window: 10_000, warn: { at: 0.5 } })
      return (messages) => context.project(messages).report.warning
    }),
    explain: session(afterEach((_, messages, { report }) => report.explain(messages.length - 1))),
    state: session(afterEach((_, __, { state }) => state)),
    'as JSON': session(afterEach((_, __, { report }) => JSON.stringify(report))),
  },
  MessageThread: {
    project: session(
      () => {
        const thread = new MessageThread(new Context(rollingContext()))
        return (messages, turn) => {
          thread.project(messages)
          thread.answered({ id: `m${turn}`, content: [{ type: 'text', text: 'x' }] })
        }
      },
      (n) => convertMessages(HISTORIES.steps(n), 'anthropic').messages,
    ),
  },
  TokenMeter: {
    'tokens and report': session(() => {
      const meter = new TokenMeter()
      return (messages, turn) => {
        meter.tokens(messages)
        meter.report(messages, { input: 1000 + 100 * turn, output: 5 })
      }
    }),
  },
  ResultTracker: {
    'follow and track': session(() => {
      const [tracker, context] = [createResultTracker(), new Context(rollingContext())]
      return (messages, turn) => {
        tracker.track({ id: `c${turn}`, name: 'bash', arguments: '{}' }, `made ${turn}\n`)
        tracker.follow(context.project(messages).messages)
      }
    }),
  },
  SessionStore: {
    ...renamed(
      'memory',
      onStore(() => memoryStore()),
    ),
    ...renamed(
      'file',
      onStore(() => fileStore({ fs, folder: folder() })),
    ),
  },
  timeline: {
    changelog: session(() => (messages) => changelog(messages), HISTORIES.files),
    compressEdits: session(() => (messages) => compressEdits(messages), HISTORIES.files),
    fileEdits: session(() => (messages) => fileEdits(messages), HISTORIES.files),
    fileStates: session(() => (messages) => fileStates(messages), HISTORIES.files),
    fileStateAt: session(() => (messages) => fileStateAt(messages, 'src/f3.ts')),
    indexReads: session(() => {
      const index = createIndex()
      return (messages) => indexReads(index, messages)
    }),
    readMessages: session(() => (messages) => readMessages(messages).blocks().length),
  },
  FileIndex: {
    'add and query': session(() => {
      const index = createIndex()
      return (_, turn) => {
        index.add({ path: `src/f${turn}.ts`, content: code(4) })
        index.query('walk f2')
      }
    }),
    ReadDigests: session(() => {
      const [index, context] = [createIndex(), new Context(CLEARING)]
      const digests = createReadDigests(index)
      return (messages) => {
        indexReads(index, messages)
        digests.apply(context.project(messages))
      }
    }),
  },
  compaction: {
    'shouldCompact and compact': session(() => (messages) => {
      if (shouldCompact(messages)) compact(messages, { threshold: 0, keepRecentMessages: 1 })
    }),
  },
  adapters: {
    'Claude Agent': session(() => {
      const trim = claudeAgent(undefined, { z })
      const [{ hooks }] = trim.hooks.PostToolUse
      return (_, turn) => hooks[0](claudeUse(turn))
    }),
    'Claude Agent, alike': session(() => {
      const trim = claudeAgent(undefined, { z })
      const [{ hooks }] = trim.hooks.PostToolUse
      return (_, turn) => hooks[0](claudeUse(turn % 3, `c${turn}`))
    }),
    Copilot: session(() => {
      const trim = copilot()
      return (_, turn) =>
        trim.hooks.onPostToolUse(
          {
            sessionId: 's',
            toolName: 'bash',
            toolArgs: { command: `make ${turn}` },
            toolResult: { textResultForLlm: `line ${turn} of the output\n`.repeat(50) },
          },
          { sessionId: 's' },
        )
    }),
    'AI SDK': session(
      () => {
        const trim = aiSdk(CLEARING)
        return (messages) => trim.view(messages)
      },
      (n) => convertMessages(HISTORIES.steps(n), 'ai-sdk').messages,
    ),
    LangChain: session(
      () => {
        const { middleware } = langchain(CLEARING)
        return (messages) => middleware.wrapModelCall({ messages, model: {} } as never, () => ({}) as never)
      },
      (n) => convertMessages(HISTORIES.steps(n), 'langchain').messages,
    ),
    Mastra: session(
      () => {
        const [{ processor }, state] = [mastra(CLEARING), {}]
        return (messages) => processor.processLLMRequest({ prompt: messages, model: {}, state } as never)
      },
      (n) => convertMessages(HISTORIES.steps(n), 'ai-sdk').messages,
    ),
  },
}

const claudeUse = (i: number, id = `c${i}`) => ({
  session_id: 's',
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: `make ${i}` },
  tool_response: `line ${i} of the output\n`.repeat(50),
})
