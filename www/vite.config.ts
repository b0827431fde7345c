import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  // The page is served from any folder.
  base: './',
  plugins: [contentSecurityPolicy],
  build: {
    target: 'es2022',
    // The sample stays a file of its own, also while it is small.
    assetsInlineLimit: 0,
    // The engine is inlined in the package, and comes in one script.
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rollupOptions: { input: { chat: page('index.html'), viewer: page('viewer.html') } },
  },
})
