const EXAMPLE = /read_(?:file|lines)\((?:"(?:[^"\\]|\\.)*"|[^)"])*\)/g
const ARGUMENT = /(\w+)=(\[[^\]]*\]|"(?:[^"\\]|\\.)*"|-?\d+)/g

/** Calls that an answer proposes, such as `read_file(file_paths=["a"], offset=50, limit=100)`. */
export function callsIn(answer: string): [name: string, args: Record<string, unknown>][] {
  return (answer.match(EXAMPLE) ?? []).map((example) => {
    const open = example.indexOf('(')
    const args = [...example.slice(open).matchAll(ARGUMENT)]
    return [
      example.slice(0, open),
      Object.fromEntries(args.map(([, key, value]) => [key, JSON.parse(value as string) as unknown])),
    ]
  })
}
