// The error of `estimateTokens` on real files by kind, and on some texts, as a share of exact counts.
// `npm run bench -- estimates [--files 40]`; `npm run corpus` downloads files of more languages.
import { parseArgs } from 'node:util'
import { encodingNames, loadEncoding } from '../js/dist/encodings/index.js'
import { estimateTokens } from '../js/dist/entries/tokens.js'
import { outlineLanguages } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const { values } = parseArgs({ options: { files: { type: 'string' } } })
const most = Number(values.files ?? 40)
/** Other names have the tokens of one of these. */
const NAMES = encodingNames.filter((name) => name !== 'o200k_harmony' && name !== 'deepseek_v4')

const bytes = Uint8Array.from({ length: 6000 }, (_, at) => (at * 7919 * 31 + at * at) % 256)
const TEXTS = {
  English:
    'He went to the shop and bought bread, milk and some cheese for breakfast. The children played in the yard. ',
  German:
    'Er ging in den Laden und kaufte Brot, Milch und etwas Käse für das Frühstück. Die Kinder spielten im Hof. ',
  Russian:
    'Он пошёл в магазин и купил хлеб, молоко и немного сыра для завтрака. Дети играли во дворе до вечера. ',
  Chinese: '他去商店买了面包、牛奶和一些奶酪做早餐。天气很好，孩子们在院子里玩到晚上。',
  Japanese: '彼は店に行ってパンと牛乳とチーズを買いました。子どもたちは夕方まで庭で遊んでいました。',
  Arabic: 'ذهب إلى المتجر واشترى الخبز والحليب وبعض الجبن لوجبة الإفطار. ولعب الأطفال في الفناء حتى المساء. ',
  base64: Buffer.from(bytes).toString('base64'),
  hex: Buffer.from(bytes).toString('hex'),
}

const kinds = [
  ...outlineLanguages.map((name) => [name, filesOf(name, { most }).map(({ content }) => content)]),
  ...Object.entries(TEXTS).map(([name, text]) => [name, [text.repeat(Math.ceil(2000 / text.length))]]),
]
const encodings = await Promise.all(NAMES.map((name) => loadEncoding(name)))
const sum = (texts, count) => texts.reduce((total, text) => total + count(text), 0)
const percent = (ratio) => `${ratio >= 1 ? '+' : ''}${Math.round(100 * (ratio - 1))} %`.padStart(12)

console.log(''.padEnd(12), 'texts', ...NAMES.map((name) => name.padStart(12)))
for (const [name, texts] of kinds) {
  if (texts.length === 0) continue
  const estimated = sum(texts, estimateTokens)
  const errors = encodings.map((encoding) => percent(estimated / sum(texts, (text) => encoding.count(text))))
  console.log(name.padEnd(12), String(texts.length).padStart(5), ...errors)
}
