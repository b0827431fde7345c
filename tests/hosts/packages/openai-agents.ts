// Modules that are resolved from this folder, with their types.
export * from '@openai/agents'
export { aisdk } from '@openai/agents-extensions/ai-sdk'
