import { readCode } from './read-code.js'

addEventListener('message', ({ data }: MessageEvent<{ text: string; language: string }>) => {
  postMessage(readCode(data.text, data.language))
})
