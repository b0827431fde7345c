import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { offline } from './offline/plugin.js'

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Allows only the page's own files to run or be requested: a session is untrusted text, and the page promises
 * that it stays in the browser. Applies to builds only, as the development server injects styles and opens a
 * socket.
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
          // The llama.cpp runtime creates its worker from a blob; the worker inherits this policy.
          "worker-src 'self' blob:",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          // The chat reaches a model through a frame of endpoint.html, which allows one origin at a time.
          "frame-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; '),
      },
    },
  ],
}

/**
 * Entry points of the package, replaced by those without wasm bytes: the page fetches wasm as files
 * (src/engine).
 */
const withoutBytes = {
  find: /^trimtab(?=$|\/(?:compaction|formats|money|reading|sessions|tokens|tools|transcripts|workspace)$)/,
  replacement: 'trimtab/slim',
}

/**
 * Replaces the module with the inlined bytes of the files engine. Views of files load it only if the engine
 * was not started, and the page always starts it from its wasm file. Without this, the build contains the
 * unused module: half a megabyte that the service worker would cache.
 */
const startedBefore = { find: /^.*\/engine\/with-files\.js$/, replacement: page('src/engine/no-bytes.ts') }

/** Puts grammars into their own folder: the service worker caches each at first use (offline/plugin.ts). */
const folderOf = (sources: readonly string[]) =>
  sources.some((source) => source.includes('pkg/outline/')) ? 'grammars/' : ''

const assetFileNames = ({ originalFileNames }: { originalFileNames: readonly string[] }) =>
  `assets/${folderOf(originalFileNames)}[name]-[hash][extname]`

export default defineConfig({
  // Relative URLs, so that the page can be served from any folder.
  base: './',
  plugins: [contentSecurityPolicy, offline],
  resolve: { alias: [withoutBytes, startedBefore] },
  worker: { format: 'es', rollupOptions: { output: { assetFileNames } } },
  build: {
    target: 'es2022',
    // Keeps the sample a separate file, even if it is small.
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
