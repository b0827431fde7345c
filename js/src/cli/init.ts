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
  lines: readonly string[]
}

const policy = "import { cacheAware } from 'trimtab'"
const loop = (usage: string, format?: Format): readonly string[] => [
  "import { cacheAware, Context, recallTool } from 'trimtab'",
  '',
  'const context = new Context(cacheAware()) // one for each conversation',
  '',
  'const view = context.project(messages).messages // before each request: send it, keep your own',
  `const tools = [recallTool(${format === undefined ? '' : `'${format}'`})] // and your own; context.answerRecall(args) answers it`,
  `context.calibrate(response.${usage}) // after it`,
]
const aiSdk = (middleware: string): readonly string[] => [
  "import { wrapLanguageModel } from 'ai'",
  policy,
  "import { trimtab } from 'trimtab/ai-sdk'",
  '',
  'const trim = trimtab(cacheAware()) // once, for all conversations',
  '',
  `const trimmed = wrapLanguageModel({ model, middleware: trim.${middleware}`,
  'tools: { ...tools, ...trim.tools },',
]

/** Printed below lines that use the default policy: otherwise it seems to do nothing. */
const PATIENCE = [
  '',
  'cacheAware() clears nothing until a rewrite of the prompt cache pays off, which can take dozens of steps.',
  'To see an effect after a few steps, use rollingContext().',
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
      '',
      'hooks: trim.hooks,',
      "mcpServers: { trimtab: createSdkMcpServer({ name: 'trimtab', tools: [tool(...trim.recall)] }) },",
      "allowedTools: ['mcp__trimtab__recall'],",
    ],
  },
  {
    title: 'Copilot SDK',
    packages: ['@github/copilot-sdk'],
    lines: [
      "import { trimtab } from 'trimtab/copilot'",
      '',
      'const trim = trimtab({ clip: { max: 20_000 } })',
      '',
      '{ hooks: trim.hooks, tools: [trim.recall] }',
    ],
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
      '',
      'tools: { recall: createTool(trim.recall) }, // and your own',
      'inputProcessors: [trim.processor],',
    ],
  },
  { title: 'AI SDK 6', packages: ['ai'], major: 6, lines: aiSdk('middlewareV3 })') },
  {
    title: 'AI SDK',
    packages: ['ai'],
    since: 6,
    lines: aiSdk('middleware }) // AI SDK 6: trim.middlewareV3'),
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
      '',
      'tools: [tool(...trim.recall)], // and your own',
      'middleware: [createMiddleware(trim.middleware)],',
    ],
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
      '',
      'tools: [tool(trim.recall)], // and your own',
    ],
  },
  {
    title: 'TanStack AI',
    packages: ['@tanstack/ai'],
    lines: [
      policy,
      "import { trimtab } from 'trimtab/tanstack'",
      '',
      'const trim = trimtab(cacheAware()) // once, for all threads',
      '',
      'tools: [trim.recall], // and your own',
      'middleware: [trim.middleware],',
    ],
  },
  { title: "OpenAI's client", packages: ['openai'], lines: loop('usage', 'openai-chat') },
  { title: "Anthropic's client", packages: ['@anthropic-ai/sdk'], lines: loop('usage', 'anthropic') },
  { title: "Google's client", packages: ['@google/genai'], lines: loop('usageMetadata', 'gemini') },
]

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Output of `trimtab init`: the lines for the framework found in package.json. Writes nothing. */
export function initCommand(file = 'package.json'): string {
  const manifest = readManifest(file)
  const versions = new Map(DEPENDENCIES.flatMap((field) => Object.entries(asRecord(manifest[field]) ?? {})))
  const framework = FRAMEWORKS.find(({ packages, major }) =>
    packages.some(
      (name) => versions.has(name) && (major === undefined || majorOf(versions.get(name)) === major),
    ),
  )
  const install = versions.has('trimtab') ? [] : ['npm install trimtab', '']
  if (framework === undefined) {
    const lines = [
      'No framework that has an adapter is in package.json. In a loop of your own:',
      '',
      ...loop('usage'),
    ]
    return text([...install, ...lines, ...PATIENCE])
  }
  const patience = framework.lines.some((line) => line.includes('cacheAware()')) ? PATIENCE : []
  const lines = [`${framework.title}:`, '', ...framework.lines, ...patience]
  return text([...tooOld(framework, versions), ...install, ...lines])
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
  const why = 'current releases need Node 22, and npm installs older ones on Node 20'
  return [`This needs ${name} ${since} or later, and package.json has ${String(version)} (${why}).`, '']
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
