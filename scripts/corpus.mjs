#!/usr/bin/env node
// `npm run corpus`: downloads real source files in languages that no dependency of this project is written in, for `npm
// run bench -- outline` and its tests. They are stored in target/corpus and cargo's own folder; nothing is built or
// run.
import { fetchCorpus } from './lib/corpus.mjs'
import { main } from './lib/run.mjs'

await main(fetchCorpus)
