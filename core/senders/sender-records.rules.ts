import { dmarcTexts, spfTexts, tagOf } from '../kernel/mail-records.rules.ts'

/** The state of a record: correct, missing, or wrong. */
export const recordStates = ['found', 'missing', 'wrong'] as const
export type RecordState = (typeof recordStates)[number]

/** A record of a sender's domain: its state, and the required name and value. */
export interface SenderRecord {
  state: RecordState
  /** Its name in DNS; all are of type TXT. */
  name: string
  /** The required value. */
  value: string
  /** The current value; empty if there is none. */
  found: string
  /** What is wrong, in a sentence; empty if nothing is. */
  problem: string
}

export interface SenderRecords {
  dkim: SenderRecord
  /** Null if the installation does not define what SPF records must include. */
  spf: SenderRecord | null
  dmarc: SenderRecord
}

/** The fields of a sender that its records depend on. */
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
    return {
      ...record,
      state: 'wrong',
      problem: 'The key is different. Copy the whole value: it may have been cut off.',
    }
  if (isTest) return { ...record, state: 'wrong', problem: 'It contains t=y, which makes receivers ignore signatures.' }
  return { ...record, state: 'found', problem: '' }
}

/** The result of following an SPF record through its includes. */
export interface FollowedSpf {
  /** Whether emails from the installation's servers pass it. */
  isIncluded: boolean
  /** Why receivers ignore it, or why it could not be followed; empty if nothing is wrong. */
  problem: string
}

/**
 * Whether a domain's SPF record includes the installation's (RFC 7208), directly or by an include; `followed` is null if there is not
 * exactly one record. The envelope's sender is the installation's own, so that receivers do not need it; some providers and companies'
 * filters check it anyway.
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
      problem: 'There are several SPF records, so receivers ignore all of them. Merge them into one.',
    }
  const [text = ''] = records
  const terms = text.toLowerCase().split(/\s+/)
  const index = terms.findIndex((term) => term === mechanism.toLowerCase() || term === `+${mechanism.toLowerCase()}`)
  const isNested = index < 0 && followed?.isIncluded === true
  if (followed !== null && followed.problem !== '')
    return { ...record, ...(isNested && { value: text }), state: 'wrong', problem: followed.problem }
  if (isNested) return { ...record, value: text, state: 'found', problem: '' }
  const all = terms.findIndex((term) => /^[-~?+]?all$/.test(term))
  if (index < 0) return { ...record, state: 'wrong', problem: `It does not contain ${mechanism}.` }
  if (all >= 0 && all < index)
    return {
      ...record,
      state: 'wrong',
      problem: `Nothing after “${terms[all]}” counts: ${mechanism} must come before it.`,
    }
  return { ...record, state: 'found', problem: '' }
}

/** The record with the mechanism inserted where it takes effect: before `all`. */
function withInclude(records: readonly string[], mechanism: string): string {
  const terms = records.flatMap((text) => text.trim().split(/\s+/).slice(1))
  const isAll = (term: string) => /^[-~?+]?all$/i.test(term)
  const isOurs = (term: string) => [mechanism, `+${mechanism}`].includes(term.toLowerCase())
  const remaining = [...new Set(terms.filter((term) => !isAll(term) && !isOurs(term)))]
  const redirects = remaining.some((term) => /^redirect=/i.test(term))
  const all = terms.find(isAll) ?? (redirects ? null : '~all')
  const modifiers = remaining.filter((term) => term.includes('='))
  const mechanisms = remaining.filter((term) => !term.includes('='))
  return ['v=spf1', ...mechanisms, mechanism, ...(all === null ? [] : [all]), ...modifiers].join(' ')
}

/** What receivers do with unauthenticated emails of the domain (RFC 7489). Our signature is of exactly this domain, so it is aligned. */
export function dmarcRecord(domain: string, texts: readonly string[]): SenderRecord {
  const records = dmarcTexts(texts)
  const record = { name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', found: records.join('\n') }
  if (records.length === 0) return { ...record, state: 'missing', problem: '' }
  if (records.length > 1)
    return {
      ...record,
      state: 'wrong',
      problem: 'There are several DMARC records, so receivers ignore all of them. Keep one.',
    }
  const policy = tagOf(records[0] ?? '', 'p')?.toLowerCase() ?? ''
  return ['none', 'quarantine', 'reject'].includes(policy)
    ? { ...record, value: records[0] ?? '', state: 'found', problem: '' }
    : { ...record, state: 'wrong', problem: 'It has no policy: p must be none, quarantine or reject.' }
}
