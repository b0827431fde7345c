/** Text of one version: its number, and a body whose length and words are unique to it. */
export function versionText(number) {
  return `${number}\n${`version ${number}, `.repeat(1 + ((number * 7919) % 20_000))}end\n`
}
