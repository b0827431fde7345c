// One line per format.
export { aiSdk } from './ai-sdk.js'
export { aiSdkUi } from './ai-sdk-ui.js'
export { anthropic } from './anthropic.js'
export { gemini } from './gemini.js'
export { langChain } from './langchain.js'
export { openAiChat } from './openai-chat.js'
export { openAiResponses } from './openai-responses.js'
