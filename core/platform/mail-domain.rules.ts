import { dmarcTexts, spfTexts, tagOf } from '#core/kernel/mail-records.rules.ts'

/** The DNS records of a sender's domain that receivers of its emails check. */
export interface DomainRecords {
  /** TXT records of the domain itself. */
  domain: readonly string[]
  /** TXT records of `_dmarc.<domain>`, else of the organisation's domain above it. */
  dmarc: readonly string[]
  /** TXT records of `<selector>._domainkey.<domain>`; null if we do not sign for it. */
  dkim: readonly string[] | null
}

type Policy = 'none' | 'quarantine' | 'reject'

export interface DomainFindings {
  /** `~all`, `-all` ...: the policy for servers that the record does not name; empty without one; null without a record, `broken` with several. */
  spf: string | null
  dmarc: Policy | null
  /** Whether our public key is in DNS; null if we do not sign for the domain. */
  dkim: boolean | null
  /** One sentence each, with how to fix it. */
  problems: string[]
}

/**
 * Checks a domain's records as receivers do (RFC 7208, 7489, 6376). `publicKey` is the one we sign with, base64 without headers. SPF applies to
 * the envelope sender, so which servers it must name depends on the mail server; two SPF records are an error for every receiver.
 */
export function domainFindings(domain: string, records: DomainRecords, publicKey: string | null): DomainFindings {
  const spfRecords = spfTexts(records.domain)
  const dmarcRecords = dmarcTexts(records.dmarc)
  const spf =
    spfRecords.length > 1
      ? 'broken'
      : spfRecords[0] === undefined
        ? null
        : (/(?:^|\s)([-~?+]?all)\b/i.exec(spfRecords[0])?.[1] ?? '')
  const dmarc = dmarcRecords.length === 1 ? policyOf(dmarcRecords[0] ?? '') : null
  const dkim =
    records.dkim === null || publicKey === null
      ? null
      : records.dkim.some((text) => tagOf(text, 'p')?.replaceAll(/\s/g, '') === publicKey)
  const problems: string[] = []
  if (spf === null) problems.push(`${domain} has no SPF record: add a TXT record that names your mail server`)
  if (spf === 'broken')
    problems.push(
      `${domain} has ${spfRecords.length} SPF records, so receivers ignore all of them: merge them into one`,
    )
  if (dmarcRecords.length > 1)
    problems.push(
      `_dmarc.${domain} has ${dmarcRecords.length} DMARC records, so receivers ignore all of them: keep one`,
    )
  else if (dmarc === null)
    problems.push(`${domain} has no DMARC record: add a TXT record _dmarc.${domain} such as v=DMARC1; p=none`)
  if (dkim === false) problems.push('the public key of MAIL_DKIM_KEY_FILE is not in DNS, so every signature fails')
  return { spf, dmarc, dkim, problems }
}

function policyOf(record: string): Policy {
  const policy = tagOf(record, 'p')?.toLowerCase()
  return policy === 'quarantine' || policy === 'reject' ? policy : 'none'
}
