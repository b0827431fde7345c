const whole = new Intl.NumberFormat('en-US')

/** `12,345` */
export function count(value: number): string {
  return whole.format(Math.round(value))
}

/** `~12,345`: token counts are estimates and always marked as such. */
export function tokens(value: number): string {
  return `~${count(value)}`
}

/** `~950`, `~12.3k`, `~1.2M` */
export function shortTokens(value: number): string {
  return `~${short(value)}`
}

/** `950`, `12.3k`, `123k`, `1.2M` */
export function short(value: number): string {
  if (value < 1000) {
    return String(Math.round(value))
  }
  if (value < 999_500) {
    return `${trimmed(value / 1000, value < 99_950 ? 1 : 0)}k`
  }
  return `${trimmed(value / 1_000_000, 1)}M`
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.0$/, '')
}

/** Share saved in percent, with one decimal; `0` if there was nothing to save. */
export function percentSaved(before: number, after: number): string {
  const share = before === 0 ? 0 : ((before - after) / before) * 100
  return share.toFixed(1).replace(/\.0$/, '')
}

export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`
}

/** Returns about `wanted` evenly spaced round numbers from 0 to at least `max`. */
export function niceTicks(max: number, wanted: number): number[] {
  if (max <= 0) {
    return [0]
  }
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const ticks: number[] = []
  for (let at = 0; at <= max + step * 1e-9; at += step) {
    ticks.push(at)
  }
  return ticks
}
