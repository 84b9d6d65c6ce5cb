/**
 * A typed web address as a link, http or https only; null when it is not one. "www.example.com" is read as https; a host without a dot (localhost, a
 * machine in the local network) is one only where http:// or https:// was typed.
 */
export function webAddressOf(typed: string): string | null {
  const text = typed.trim()
  const url = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
  if (!/^https?:\/\//i.test(url) || /[\s\p{Cc}]/u.test(url) || !URL.canParse(url)) return null
  const { hostname, username, password } = new URL(url)
  const isHost = url === text || /^[^.]+(\.[^.]+)+$/.test(hostname)
  return username === '' && password === '' && isHost ? url : null
}
