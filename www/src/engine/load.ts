/**
 * Fetches and compiles one of the page's wasm files.
 *
 * @throws Error if the server does not return it
 */
export async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be loaded (${response.status})`)
  return WebAssembly.compile(await response.arrayBuffer())
}
