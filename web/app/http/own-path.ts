/** A base URL that does not exist: an address that resolves to another origin leads to another site. */
const baseUrl = 'http://own.invalid'

/**
 * A path of this site after normalisation, with its query and hash, or null for other sites (open redirect). It is checked after removing
 * dot segments, as browsers do: `/x/..//evil.example` is `//evil.example`, which is another site.
 */
export function ownPath(text: string | null | undefined): string | null {
  if (!text || !/^\/(?!\/)/.test(text) || /[\\\p{Cc}]/u.test(text) || !URL.canParse(text, baseUrl)) return null
  const { origin, pathname, search, hash } = new URL(text, baseUrl)
  if (origin !== baseUrl || pathname.startsWith('//') || pathname.includes('\\')) return null
  return pathname + search + hash
}
