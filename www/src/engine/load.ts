/** Fetches a wasm file of the page's own and compiles it beside the page's other work. */
export async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be loaded (${response.status})`)
  return WebAssembly.compile(await response.arrayBuffer())
}
