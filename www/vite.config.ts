import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { offline } from './offline/plugin.js'

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Nothing but the page's own files may run or be asked for: a session is untrusted text, and the page promises that it
 * stays here. Built pages only, as the development server injects styles and opens a socket.
 */
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      injectTo: 'head-prepend',
      attrs: {
        'http-equiv': 'Content-Security-Policy',
        content: [
          "default-src 'none'",
          "script-src 'self' 'wasm-unsafe-eval'",
          // What runs llama.cpp makes its worker of a text; the worker has this page's policy.
          "worker-src 'self' blob:",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          // The chat's way to a model: endpoint.html, which is asked for one origin at a time.
          "frame-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; '),
      },
    },
  ],
}

/** Entries of the package, as they are without the bytes of wasm files: the page fetches those as files (src/engine). */
const withoutBytes = {
  find: /^trimtab(?=$|\/(?:compaction|formats|money|reading|sessions|tokens|tools|transcripts|workspace)$)/,
  replacement: 'trimtab/slim',
}

/**
 * Views of files ask for the bytes of an engine that was not started; the page starts it from its file before. The script with the
 * bytes was built all the same, half a megabyte that the service worker kept.
 */
const startedBefore = { find: /^.*\/engine\/with-files\.js$/, replacement: page('src/engine/no-bytes.ts') }

/** Grammars are told apart by their folder: the service worker keeps one when it was needed (offline/plugin.ts). */
const folderOf = (sources: readonly string[]) =>
  sources.some((source) => source.includes('pkg/outline/')) ? 'grammars/' : ''

const assetFileNames = ({ originalFileNames }: { originalFileNames: readonly string[] }) =>
  `assets/${folderOf(originalFileNames)}[name]-[hash][extname]`

export default defineConfig({
  // The page is served from any folder.
  base: './',
  plugins: [contentSecurityPolicy, offline],
  resolve: { alias: [withoutBytes, startedBefore] },
  worker: { format: 'es', rollupOptions: { output: { assetFileNames } } },
  build: {
    target: 'es2022',
    // The sample stays a file of its own, also while it is small.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rollupOptions: {
      input: { chat: page('index.html'), viewer: page('viewer.html') },
      output: {
        assetFileNames,
      },
    },
  },
})
