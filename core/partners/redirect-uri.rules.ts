const maxLength = 500

/**
 * What is wrong with an address to which an app wants readers returned; undefined for a valid one. https; http only for a program on the reader's
 * own machine; or the app's own scheme, a reversed domain (com.example.reader:/login), which no other app uses by chance.
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > maxLength) return `“${uri.slice(0, 40)}…” is too long: ${maxLength} characters at most`
  if (!URL.canParse(uri)) return `“${uri}” is not a complete address, such as https://app.example.com/login`
  const { protocol, hostname, hash, username, password } = new URL(uri)
  if (hash !== '' || uri.includes('#')) return `“${uri}” must not have a part after #`
  if (username !== '' || password !== '') return `“${uri}” must not contain a user name or password`
  if (uri.includes('*')) return `“${uri}” must be one complete address, without *`
  if (protocol === 'https:') return undefined
  if (protocol === 'http:') {
    const isOwnMachine = hostname === '127.0.0.1' || hostname === '[::1]'
    return isOwnMachine ? undefined : `“${uri}” must begin with https://`
  }
  if (/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)) return undefined
  return `“${uri}” must begin with https://, or with a reversed domain, such as com.example.reader:/login`
}

/** Where a reader is returned to, in a form people recognise: a host, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

/** A registered address with the parameters of a response, in addition to its own. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.toString()
}
