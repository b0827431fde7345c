import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.jsonl': 'text/plain; charset=utf-8',
}

/**
 * Serves a folder of static files on a free port.
 *
 * @param headers Added to each response.
 */
export async function serve(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    // `normalize` of an absolute path cannot leave its root.
    const path = normalize(decodeURIComponent(pathname))
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    try {
      const bytes = await readFile(file)
      response
        .writeHead(200, {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
          ...headers,
        })
        .end(bytes)
    } catch {
      response.writeHead(404).end('not found')
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error === undefined ? resolve() : reject(error)))
      }),
  }
}
