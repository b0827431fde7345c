// From here its packages are found, with their types.
export * from '@openai/agents'
export { aisdk } from '@openai/agents-extensions/ai-sdk'
