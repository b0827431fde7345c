// Static file server for the built page, for a browser on this machine only.
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, sep } from 'node:path'

// Without its type, a browser rejects a module script, and uses slow compilation for wasm.
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Returns the file in `root` for a request's URL; null if it does not exist, or is outside. */
export function fileFor(root, url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0])
    const base = realpathSync(root)
    const asked = realpathSync(join(base, path))
    const file = statSync(asked).isDirectory() ? realpathSync(join(asked, 'index.html')) : asked
    // Compares real paths, so that neither `..` nor a link leads out of the folder.
    return file.startsWith(base + sep) ? file : null
  } catch {
    return null
  }
}

function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const file = fileFor(root, request.url)
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n')
    return
  }
  const type = types[extname(file)] ?? 'application/octet-stream'
  response.writeHead(200, {
    'content-type': type,
    'content-length': statSync(file).size,
    'cache-control': 'no-cache',
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
}

function listen(server, port) {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', () => done(server.address().port))
  })
}

/** Serves a folder on 127.0.0.1, on the first free port from `port` on; with `exact`, on that port or not at all. */
export async function serve(root, { port, exact = false }) {
  const server = createServer((request, response) => answer(root, request, response))
  for (let candidate = port; ; candidate += 1) {
    try {
      return { server, address: `http://127.0.0.1:${await listen(server, candidate)}/` }
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || exact || candidate - port > 100) throw error
    }
  }
}
