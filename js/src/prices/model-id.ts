/** Normalises an id: removes provider, region, date, a gateway's suffix and the `*` of a family; replaces `.` with `-`. */
export function plainId(model: string): string {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return name
    .replace(/^(?:(?:us|eu|apac|global)\.)?(?:anthropic|openai|google|deepseek|xai)\./, '')
    .replaceAll('.', '-')
    .replace(/[@:*].*$/, '')
    .replace(/-v\d+$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, '')
}
