import { asRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import { help, type Output, parse } from './arguments.js'
import { Failure } from './failure.js'
import { INIT_HELP } from './help.js'
import { readText } from './open-file.js'

export function run(args: string[]): Output {
  const { values, positionals } = parse('init', args, { help })
  if (values.help === true) return { stdout: INIT_HELP }
  if (positionals.length > 0) throw new Failure('init takes no file: it reads package.json of this folder')
  return { stdout: initCommand() }
}

/** Code that an application adds for a framework, and the packages by which the framework is detected. */
interface Framework {
  title: string
  /** Any of these in package.json; the first framework in the list that matches is used. */
  packages: readonly string[]
  /** First major version that has the extension point the adapter uses. */
  since?: number
  /** Only major version that these lines are for. */
  major?: number
  /** Whether this is the client of one provider: an application may have several. */
  isClient?: boolean
  /** Lines for the top of a module. */
  lines: readonly string[]
  /** Where the other lines belong, and these lines. */
  inside?: { where: string; lines: readonly string[] }
}

const policy = "import { cacheAware } from 'trimtab'"

interface Loop {
  model: string
  request: string
  call: string
  usage: string
  format?: Format
}

const loop = ({ model, request, call, usage, format }: Loop): Pick<Framework, 'lines' | 'inside'> => ({
  lines: [
    "import { cacheAware, Context, recallTool } from 'trimtab'",
    '',
    // What may be cleared beside signed thinking depends on the model.
    `const model = '${model}' // yours; signed thinking needs it`,
    'const context = new Context(cacheAware(), { model }) // for one conversation',
  ],
  inside: {
    where: 'In the loop, in place of the request',
    lines: [
      'const view = context.project(messages).messages // to send; keep your own',
      '// and your own tools; context.answerRecall(args) answers a call of recall',
      `const tools = [recallTool(${format === undefined ? '' : `'${format}'`})]`,
      `const request = { ${request} }`,
      `const response = await ${call}(request)`,
      `context.calibrate(response.${usage})`,
    ],
  },
})
const client = (provider: string, name: string, made: Loop): Framework => ({
  title: `${provider}'s client`,
  packages: [name],
  isClient: true,
  ...loop(made),
})
const aiSdk = (middleware: string, ...notes: string[]): Pick<Framework, 'lines' | 'inside'> => ({
  lines: [
    "import { wrapLanguageModel } from 'ai'",
    policy,
    "import { trimtab } from 'trimtab/ai-sdk'",
    '',
    'const trim = trimtab(cacheAware()) // once, for all conversations',
  ],
  inside: {
    where: 'In the options of generateText, streamText or ToolLoopAgent',
    lines: [
      ...notes,
      `model: wrapLanguageModel({ model, middleware: trim.${middleware} }),`,
      'tools: { ...tools, ...trim.tools },',
    ],
  },
})

/** Printed below lines that use the default policy: otherwise it seems to do nothing. */
const PATIENCE = [
  '',
  'cacheAware() clears nothing until a rewrite of the prompt cache pays off, which',
  'can take dozens of steps. rollingContext() shows an effect after a few steps.',
]

/** Order matters: frameworks before the clients they depend on, plugins before frameworks used beside them. */
const FRAMEWORKS: readonly Framework[] = [
  {
    title: 'opencode, in .opencode/plugins/trimtab.ts',
    packages: ['@opencode-ai/plugin'],
    lines: [
      "import { tool } from '@opencode-ai/plugin'",
      policy,
      "import { trimtab } from 'trimtab/opencode'",
      '',
      'export const Trimtab = trimtab(cacheAware(), { tool })',
    ],
  },
  {
    title: 'pi, in .pi/extensions/trimtab.ts',
    packages: ['@earendil-works/pi-coding-agent'],
    lines: [policy, "import { trimtab } from 'trimtab/pi'", '', 'export default trimtab(cacheAware())'],
  },
  {
    title: "Cline's SDK",
    packages: ['@cline/sdk', '@cline/core', '@cline/agents', '@cline/shared'],
    lines: [
      "import type { AgentRuntimePlugin } from '@cline/shared'",
      policy,
      "import { trimtab } from 'trimtab/cline'",
      '',
      'export const plugins: AgentRuntimePlugin[] = [trimtab(cacheAware())]',
    ],
  },
  {
    title: 'Claude Agent SDK',
    packages: ['@anthropic-ai/claude-agent-sdk'],
    lines: [
      "import { createSdkMcpServer, tool } from '@anthropic-ai/claude-agent-sdk'",
      "import { trimtab } from 'trimtab/claude-agent'",
      "import { z } from 'zod'",
      '',
      'const trim = trimtab({ clip: { max: 20_000 }, dedupe: true }, { z })',
      'const tools = [tool(...trim.recall)]',
    ],
    inside: {
      where: 'In the options of query',
      lines: [
        'hooks: trim.hooks,',
        "mcpServers: { trimtab: createSdkMcpServer({ name: 'trimtab', tools }) },",
        "allowedTools: ['mcp__trimtab__recall'],",
      ],
    },
  },
  {
    title: 'Copilot SDK',
    packages: ['@github/copilot-sdk'],
    lines: [
      "import { trimtab } from 'trimtab/copilot'",
      '',
      'const trim = trimtab({ clip: { max: 20_000 } })',
    ],
    inside: {
      where: 'In the configuration of createSession',
      lines: ['hooks: trim.hooks,', 'tools: [trim.recall], // and your own'],
    },
  },
  {
    title: 'Mastra',
    packages: ['@mastra/core'],
    since: 1,
    lines: [
      "import { createTool } from '@mastra/core/tools'",
      policy,
      "import { trimtab } from 'trimtab/mastra'",
      '',
      'const trim = trimtab(cacheAware()) // once, for all threads',
    ],
    inside: {
      where: 'In the options of each Agent',
      lines: [
        'tools: { recall: createTool(trim.recall) }, // and your own',
        'inputProcessors: [trim.processor],',
      ],
    },
  },
  { title: 'AI SDK 6', packages: ['ai'], major: 6, ...aiSdk('middlewareV3') },
  {
    title: 'AI SDK',
    packages: ['ai'],
    since: 6,
    ...aiSdk('middleware', '// AI SDK 6: trim.middlewareV3'),
  },
  {
    title: 'LangChain',
    packages: ['langchain', 'deepagents'],
    since: 1,
    lines: [
      "import { createMiddleware, tool } from 'langchain'",
      policy,
      "import { trimtab } from 'trimtab/langchain'",
      '',
      'const trim = trimtab(cacheAware()) // once, for all threads',
    ],
    inside: {
      where: 'In the options of createAgent or createDeepAgent',
      lines: [
        'tools: [tool(...trim.recall)], // and your own',
        'middleware: [createMiddleware(trim.middleware)],',
      ],
    },
  },
  {
    title: 'OpenAI Agents',
    packages: ['@openai/agents'],
    lines: [
      "import { OpenAIProvider, setDefaultModelProvider, tool } from '@openai/agents'",
      policy,
      "import { trimtab } from 'trimtab/openai-agents'",
      '',
      'const trim = trimtab(cacheAware()) // once, for all runs',
      'setDefaultModelProvider(trim.modelProvider(new OpenAIProvider()))',
    ],
    inside: {
      where: 'In the options of each Agent',
      lines: ['tools: [tool(trim.recall)], // and your own'],
    },
  },
  {
    title: 'TanStack AI',
    packages: ['@tanstack/ai'],
    lines: [
      policy,
      "import { trimtab } from 'trimtab/tanstack'",
      '',
      'const trim = trimtab(cacheAware()) // once, for all threads',
    ],
    inside: {
      where: 'In the options of chat',
      lines: ['tools: [trim.recall], // and your own', 'middleware: [trim.middleware],'],
    },
  },
  client('OpenAI', 'openai', {
    model: 'gpt-5.6',
    request: 'model, messages: view, tools',
    call: 'client.chat.completions.create',
    usage: 'usage',
    format: 'openai-chat',
  }),
  client('Anthropic', '@anthropic-ai/sdk', {
    model: 'claude-opus-5-5',
    request: 'model, max_tokens, messages: view, tools',
    call: 'client.messages.create',
    usage: 'usage',
    format: 'anthropic',
  }),
  client('Google', '@google/genai', {
    model: 'gemini-3.1-pro',
    request: 'model, contents: view, config: { tools }',
    call: 'client.models.generateContent',
    usage: 'usageMetadata',
    format: 'gemini',
  }),
]

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Output of `trimtab init`: the lines for the framework found in package.json. Writes nothing. */
export function initCommand(file = 'package.json'): string {
  const manifest = readManifest(file)
  const versions = new Map(DEPENDENCIES.flatMap((field) => Object.entries(asRecord(manifest[field]) ?? {})))
  const found = FRAMEWORKS.filter(({ packages, major }) =>
    packages.some(
      (name) => versions.has(name) && (major === undefined || majorOf(versions.get(name)) === major),
    ),
  )
  const install = versions.has('trimtab') ? [] : ['npm install trimtab', '']
  const [first] = found
  if (first === undefined) {
    const title = 'No framework that has an adapter is in package.json. In a loop of your own'
    const own = loop({
      model: 'claude-opus-5-5',
      request: 'model, messages: view, tools',
      call: 'send',
      usage: 'usage',
    })
    return text([...install, ...linesOf([{ title, ...own }])])
  }
  const shown = first.isClient === true ? found : [first]
  return text([...tooOld(first, versions), ...install, ...linesOf(shown)])
}

type Lines = Pick<Framework, 'title' | 'lines' | 'inside'>

function linesOf(frameworks: readonly Lines[]): string[] {
  const all = frameworks.flatMap(({ title, lines, inside }, at) => {
    const others = inside === undefined ? [] : ['', `${inside.where}:`, '', ...inside.lines]
    return [...(at === 0 ? [] : ['']), `${title}:`, '', ...lines, ...others]
  })
  return all.some((line) => line.includes('cacheAware()')) ? [...all, ...PATIENCE] : all
}

/** Major version of a range in package.json, if it names one. */
function majorOf(range: unknown): number | undefined {
  const major = /^[~^]?(\d+)/.exec(String(range))?.[1]
  return major === undefined ? undefined : Number(major)
}

/** Warns if the framework's version is too old: older releases never call the adapter, and report no error. */
function tooOld({ packages: [name = ''], since = 0 }: Framework, versions: Map<string, unknown>): string[] {
  const version = versions.get(name)
  const major = majorOf(version)
  if (major === undefined || major >= since) return []
  return [
    `This needs ${name} ${since} or later, and package.json has ${String(version)}.`,
    'Current releases need Node 22; on Node 20, npm installs older ones.',
    '',
  ]
}

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`

function readManifest(file: string): Record<string, unknown> {
  try {
    const manifest = asRecord(JSON.parse(readText(file).replace(/^\uFEFF/, '')))
    if (manifest !== undefined) return manifest
  } catch (error) {
    if (error instanceof Failure) throw error
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing)
      throw new Failure('there is no package.json here: run trimtab init in the folder that has it')
  }
  throw new Failure('package.json cannot be read as JSON')
}
