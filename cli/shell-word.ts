/** A word as it is typed into a shell: quoted where it needs to be. For commands that we suggest. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
