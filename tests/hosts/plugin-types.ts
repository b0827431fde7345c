// Uses of the plugins by the types of their hosts: compiled by plugin-types.test.ts, never run.

import { trimtab as claude } from 'trimtab/claude-agent'
import { trimtab as cline } from 'trimtab/cline'
import { trimtab as copilot } from 'trimtab/copilot'
import { trimtab as opencode } from 'trimtab/opencode'
import { POLICY } from '../frameworks/expectations.js'
import type {
  tool as defineTool,
  Options,
} from './plugins/node_modules/@anthropic-ai/claude-agent-sdk/sdk.js'
import type { AgentRuntimePlugin } from './plugins/node_modules/@cline/shared/dist/agent.js'
import type { SessionConfig } from './plugins/node_modules/@github/copilot-sdk/dist/index.js'
import { type Plugin, tool } from './plugins/node_modules/@opencode-ai/plugin/dist/index.js'
import { z } from './plugins/node_modules/zod/index.js'

declare const claudeTool: typeof defineTool

const trim = claude(undefined, { z })
export const hooks: NonNullable<Options['hooks']> = trim.hooks
export const recall = claudeTool(...trim.recall)

const trimmed = copilot()
export const session: Pick<SessionConfig, 'hooks' | 'tools'> = {
  hooks: trimmed.hooks,
  tools: [trimmed.recall],
}

export const plugin: Plugin = opencode(POLICY, { tool })
export const runtime: AgentRuntimePlugin = cline(POLICY)
