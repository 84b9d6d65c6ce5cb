import { createPublicKey } from 'node:crypto'
import { dmarcNames } from '#core/kernel/mail-records.rules.ts'
import type { MailDns } from '#core/ports/mail-dns.ts'
import type { DkimKey } from '#core/ports/mailer.ts'
import { openMailDns } from './mail-dns.ts'
import { type DomainFindings, domainFindings } from './mail-domain.rules.ts'

interface Lookup {
  domain: string
  dkim: DkimKey | null
  /** The DNS server that is queried, with or without a port; null: the machine's own. */
  server: string | null
}

/** Reads the email records of a sender's domain. Throws if DNS does not respond, as that says nothing about the domain. */
export async function lookUpMailDomain({ domain, dkim, server }: Lookup): Promise<DomainFindings> {
  const dns = openMailDns({ server })
  const isOurs = dkim !== null && (domain === dkim.domain || domain.endsWith(`.${dkim.domain}`))
  const [domainTexts, dmarc, key] = await Promise.all([
    dns.texts(domain),
    dmarcOf(dns, domain),
    isOurs ? dns.texts(`${dkim.selector}._domainkey.${dkim.domain}`) : null,
  ])
  const publicKey = dkim && createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  return domainFindings(domain, { domain: domainTexts, dmarc, dkim: key }, publicKey)
}

/** A domain without a DMARC record uses the record of a parent domain. */
async function dmarcOf(dns: MailDns, domain: string): Promise<string[]> {
  for (const name of dmarcNames(domain)) {
    const records = await dns.texts(name)
    if (records.length > 0) return records
  }
  return []
}
