/** A visitor's traffic source by the link that they followed: the names of a campaign, never of a person. */
export interface TrafficSource {
  utmSource: string
  /** Blank if the link does not say. */
  utmMedium: string
  utmCampaign: string
}

/** The names of these parameters in a link, as other tools use them. */
const sourceParams = { utmSource: 'utm_source', utmMedium: 'utm_medium', utmCampaign: 'utm_campaign' } as const

const maxSourceLength = 60

/** Letters, digits, spaces and . _ + -: no address of a person, and nothing that a page or a spreadsheet could take for more than a name. */
const plainName = new RegExp(`^[\\p{L}\\p{N}][\\p{L}\\p{N} ._+-]{0,${maxSourceLength - 1}}$`, 'u')

/** A name as it is stored, in lower case so that "Mail" and "mail" are the same; blank for anything but a plain name. */
export function sourceName(text: string | null): string {
  // Longer text is not even processed: lower case may be longer than upper case, but not that much.
  if (!text || text.length > 2 * maxSourceLength) return ''
  const name = text.normalize('NFC').trim().toLowerCase()
  return plainName.test(name) ? name : ''
}

/** The traffic source in a link's parameters; null if there is none, or its name is not a plain one. */
export function sourceOf(params: URLSearchParams): TrafficSource | null {
  const utmSource = sourceName(params.get(sourceParams.utmSource))
  if (!utmSource) return null
  return {
    utmSource,
    utmMedium: sourceName(params.get(sourceParams.utmMedium)),
    utmCampaign: sourceName(params.get(sourceParams.utmCampaign)),
  }
}

const shopPath = /^\/[\w-]{1,100}(?:\/issues)?$/

/**
 * The address of a storefront page without the parameters that only name its traffic source, so that one cached page serves every link; any
 * other address unchanged. The browser also removes it before the page runs, so that both render the same address.
 */
export function withoutSource(address: string): string {
  const [path = '', query, ...otherParts] = address.split('?')
  if (query === undefined || otherParts.length > 0 || !shopPath.test(path) || !/(?:^|&)utm_/i.test(query))
    return address
  const otherParams = query.split('&').filter((part) => !/^utm_/i.test(part))
  return otherParams.length > 0 ? `${path}?${otherParams.join('&')}` : path
}
