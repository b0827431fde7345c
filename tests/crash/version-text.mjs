/** The text of one version: its number, and a body of a length and of words that only this version has. */
export function versionText(number) {
  return `${number}\n${`version ${number}, `.repeat(1 + ((number * 7919) % 20_000))}end\n`
}
