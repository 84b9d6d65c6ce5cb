/** A typed web address as a link, http or https alone ("www.example.com" is taken as https); null when it is none. */
export function webAddressOf(typed: string): string | null {
  const text = typed.trim()
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
  if (!/^https?:\/\//i.test(address) || /[\s\p{Cc}]/u.test(address) || !URL.canParse(address)) return null
  const { hostname, username, password } = new URL(address)
  return username === '' && password === '' && /^[^.]+(\.[^.]+)+$/.test(hostname) ? address : null
}
