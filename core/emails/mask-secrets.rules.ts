/** Replaces the secret part of a link. */
const mask = 'hidden'

/** Shorter than any token or signed key, and longer than any word in our own addresses. */
const secretLength = 16

interface Site {
  appUrl: string
  /** The publication's address: its handle may be long, and is not a secret. */
  storefrontUrl: string
}

/**
 * An email as it may be stored: none of our links in it works any longer. Every part of the path or the query of such a link that is long enough to
 * be a secret is treated as one, so that the links of emails added later are masked as well. Pictures are kept: they open nothing.
 */
export function maskSecrets<Content extends { html: string; text: string }>(content: Content, site: Site): Content {
  return { ...content, html: masked(content.html, site), text: masked(content.text, site) }
}

function masked(text: string, { appUrl, storefrontUrl }: Site): string {
  return text.replaceAll(new RegExp(`(src=")?(${escaped(appUrl)})([^\\s"'<>]*)`, 'g'), (link, src, app, path) => {
    if (src !== undefined) return link
    const isOfStorefront = link === storefrontUrl || link.startsWith(`${storefrontUrl}/`)
    const storefrontPath = isOfStorefront ? storefrontUrl.slice(appUrl.length) : ''
    return `${app}${storefrontPath}${(path as string).slice(storefrontPath.length).replaceAll(/[\w.~%-]+/g, hidden)}`
  })
}

function hidden(part: string): string {
  return part.length < secretLength ? part : mask
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
