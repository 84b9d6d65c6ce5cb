/** The address of a database on a server, from that of another one on it. */
export function databaseUrlOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
