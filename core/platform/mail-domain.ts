import { createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { type DomainFindings, domainFindings } from './mail-domain.rules.ts'
import type { DkimKey } from './mail-transport.ts'

interface Asked {
  domain: string
  dkim: DkimKey | null
  /** The DNS server that is asked, with or without a port; null: the machine's own. */
  server: string | null
}

/** Reads what a sender's domain says of itself. Throws where DNS does not answer: that says nothing of the domain. */
export async function lookUpMailDomain({ domain, dkim, server }: Asked): Promise<DomainFindings> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (server !== null) resolver.setServers([server])
  const isOurs = dkim !== null && (domain === dkim.domain || domain.endsWith(`.${dkim.domain}`))
  const [own, dmarc, key] = await Promise.all([
    texts(resolver, domain),
    dmarcTexts(resolver, domain),
    isOurs ? texts(resolver, `${dkim.selector}._domainkey.${dkim.domain}`) : null,
  ])
  const publicKey = dkim && createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  return domainFindings(domain, { domain: own, dmarc, dkim: key }, publicKey)
}

/** A domain without a DMARC record goes by the one of a domain above it. */
async function dmarcTexts(resolver: Resolver, domain: string): Promise<string[]> {
  const labels = domain.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const found = await texts(resolver, `_dmarc.${labels.slice(from).join('.')}`)
    if (found.length > 0) return found
  }
  return []
}

/** The TXT records of a name, the pieces of each joined; none where there is no such name. */
async function texts(resolver: Resolver, name: string): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}
