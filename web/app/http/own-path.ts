/** A base that no address on the network has: whatever resolves to another origin leads away from here. */
const here = 'http://own.invalid'

/**
 * A path of this site as it stands after normalisation, with its query and hash, or null for whatever could lead elsewhere. It is judged
 * after dot segments are taken out, as a browser takes them out: `/x/..//evil.example` is `//evil.example`, which is another site.
 */
export function ownPath(text: string | null | undefined): string | null {
  if (!text || !/^\/(?!\/)/.test(text) || /[\\\p{Cc}]/u.test(text) || !URL.canParse(text, here)) return null
  const { origin, pathname, search, hash } = new URL(text, here)
  if (origin !== here || pathname.startsWith('//') || pathname.includes('\\')) return null
  return pathname + search + hash
}
