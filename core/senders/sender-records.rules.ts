import { dmarcTexts, spfTexts, tagOf } from '../kernel/mail-records.rules.ts'

/** How a record stands: as it should be, not there, or there and of no use. */
export const recordStates = ['found', 'missing', 'wrong'] as const
export type RecordState = (typeof recordStates)[number]

/** A record of a sender's domain: how it stands, and what is to be put where. */
export interface SenderRecord {
  state: RecordState
  /** Its name in DNS; all are of type TXT. */
  name: string
  /** What is to stand there. */
  value: string
  /** What stands there now; empty where nothing does. */
  found: string
  /** What is wrong, in a sentence; empty where nothing is. */
  problem: string
}

export interface SenderRecords {
  dkim: SenderRecord
  /** Null where the installation has not said what SPF records are to include. */
  spf: SenderRecord | null
  dmarc: SenderRecord
}

/** What of a sender its records are about. */
export interface SenderKey {
  domain: string
  selector: string
  publicKey: string
}

export function dkimName({ domain, selector }: SenderKey): string {
  return `${selector}._domainkey.${domain}`
}

/** The record by which receivers verify our signature (RFC 6376, 3.6.1). */
export function dkimRecord(key: SenderKey, texts: readonly string[]): SenderRecord {
  const record = { name: dkimName(key), value: `v=DKIM1; k=rsa; p=${key.publicKey}`, found: texts.join('\n') }
  if (texts.length === 0) return { ...record, state: 'missing', problem: '' }
  const [text = '', ...others] = texts
  if (others.length > 0) return { ...record, state: 'wrong', problem: 'There are several records. Keep only this one.' }
  const stored = tagOf(text, 'p')?.replaceAll(/\s/g, '')
  const version = tagOf(text, 'v') ?? 'DKIM1'
  const isTest = (tagOf(text, 't') ?? '').split(':').some((flag) => flag.trim() === 'y')
  if (version !== 'DKIM1' || (tagOf(text, 'k') ?? 'rsa') !== 'rsa' || stored !== key.publicKey)
    return { ...record, state: 'wrong', problem: 'It is not this key. Copy the whole value: it may have been cut off.' }
  if (isTest) return { ...record, state: 'wrong', problem: 'It says t=y, by which receivers ignore signatures.' }
  return { ...record, state: 'found', problem: '' }
}

/** What came of following an SPF record through what it includes. */
export interface FollowedSpf {
  /** Whether the installation's servers pass by it. */
  isIncluded: boolean
  /** Why receivers drop it, or why it could not be followed; empty where nothing is wrong. */
  problem: string
}

/**
 * Whether a domain's SPF record includes the installation's (RFC 7208), itself or by what it includes; `followed` is null where there is not one record. The envelope's sender is the installation's own, so that receivers
 * do not need it; some providers and companies' filters look at it all the same.
 */
export function spfRecord(
  { domain, include }: { domain: string; include: string },
  texts: readonly string[],
  followed: FollowedSpf | null,
): SenderRecord {
  const records = spfTexts(texts)
  const mechanism = `include:${include}`
  const record = { name: domain, value: withInclude(records, mechanism), found: records.join('\n') }
  if (records.length === 0) return { ...record, state: 'missing', problem: '' }
  if (records.length > 1)
    return {
      ...record,
      state: 'wrong',
      problem: 'There are several SPF records, which counts as none. Join them into one.',
    }
  const [text = ''] = records
  const terms = text.toLowerCase().split(/\s+/)
  const at = terms.findIndex((term) => term === mechanism.toLowerCase() || term === `+${mechanism.toLowerCase()}`)
  const isNested = at < 0 && followed?.isIncluded === true
  if (followed !== null && followed.problem !== '')
    return { ...record, ...(isNested && { value: text }), state: 'wrong', problem: followed.problem }
  if (isNested) return { ...record, value: text, state: 'found', problem: '' }
  const all = terms.findIndex((term) => /^[-~?+]?all$/.test(term))
  if (at < 0) return { ...record, state: 'wrong', problem: `It does not name ${mechanism}.` }
  if (all >= 0 && all < at)
    return {
      ...record,
      state: 'wrong',
      problem: `Nothing after “${terms[all]}” counts: ${mechanism} must stand before it.`,
    }
  return { ...record, state: 'found', problem: '' }
}

/** The record with the mechanism in it, where it counts: before what is said of all others. */
function withInclude(records: readonly string[], mechanism: string): string {
  const terms = records.flatMap((text) => text.trim().split(/\s+/).slice(1))
  const isAll = (term: string) => /^[-~?+]?all$/i.test(term)
  const isOurs = (term: string) => [mechanism, `+${mechanism}`].includes(term.toLowerCase())
  const kept = [...new Set(terms.filter((term) => !isAll(term) && !isOurs(term)))]
  const redirects = kept.some((term) => /^redirect=/i.test(term))
  const all = terms.find(isAll) ?? (redirects ? null : '~all')
  const [modifiers, mechanisms] = [
    kept.filter((term) => term.includes('=')),
    kept.filter((term) => !term.includes('=')),
  ]
  return ['v=spf1', ...mechanisms, mechanism, ...(all === null ? [] : [all]), ...modifiers].join(' ')
}

/** What receivers do with mails of the domain that nothing proves (RFC 7489). Our signature is of the very domain, so that it is aligned. */
export function dmarcRecord(domain: string, texts: readonly string[]): SenderRecord {
  const records = dmarcTexts(texts)
  const record = { name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', found: records.join('\n') }
  if (records.length === 0) return { ...record, state: 'missing', problem: '' }
  if (records.length > 1)
    return { ...record, state: 'wrong', problem: 'There are several DMARC records, which counts as none. Keep one.' }
  const policy = tagOf(records[0] ?? '', 'p')?.toLowerCase() ?? ''
  return ['none', 'quarantine', 'reject'].includes(policy)
    ? { ...record, value: records[0] ?? '', state: 'found', problem: '' }
    : { ...record, state: 'wrong', problem: 'It has no policy: p must be none, quarantine or reject.' }
}
