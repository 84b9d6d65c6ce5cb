/* The DNS records that receivers of emails read, parsed in one place so that all code reads them alike. */

/** The SPF records among the texts of a domain (RFC 7208). More than one counts as none. */
export function spfTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text))
}

/** The DMARC records among texts (RFC 7489). More than one counts as none. */
export function dmarcTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
}

/** The names at which the DMARC record of a domain may be: under the domain itself, else under each parent domain, the nearest first. */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, from) => `_dmarc.${labels.slice(from).join('.')}`)
}

/** The value of a tag in a list of tags: `v=DMARC1; p=reject`. */
export function tagOf(record: string, name: string): string | undefined {
  const tag = record.split(';').find((part) => part.split('=')[0]?.trim().toLowerCase() === name)
  return tag?.slice(tag.indexOf('=') + 1).trim()
}
