import { z } from 'zod'
import { unseal } from '../access/sealed.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { conflict } from '../kernel/errors.ts'
import { dmarcNames, spfTexts } from '../kernel/mail-records.rules.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { newSenderKey } from './new-sender-key.ts'
import { PublisherSenders, type SenderRow, sendersToCheck } from './publisher-senders.rows.ts'
import {
  dkimName,
  dkimRecord,
  dmarcRecord,
  type FollowedSpf,
  type SenderKey,
  type SenderRecords,
  spfRecord,
} from './sender-records.rules.ts'
import { walkSpf } from './walk-spf.ts'

/** The rate limit of checks on demand. */
const perPublisher = { hits: 30, windowSeconds: 3600 }

/** Checks the DNS of the acting publisher's own domain immediately. False if DNS did not respond: the last result is kept. */
export const checkSender = useCase({
  permission: 'sender:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ isAnswered: boolean }> {
    const publisherId = requirePublisherId(ctx)
    const row = await PublisherSenders.find(ctx, { publisherId })
    if (!row || row.address === '') throw conflict('There is no sender address to check')
    await countAttempt(ctx, `check-sender:${publisherId}`, perPublisher)
    // The mail server's settings may have been fixed: the next email will show whether they were.
    return { isAnswered: await checkRecords(ctx, row, { forgetsRefusal: true }) }
  },
})

/** The interval of checks, an hour, less the time that a run may take. */
const intervalMs = 50 * 60_000
/** How many domains are checked in one run of the job. */
const maxPerRun = 200

/** The job: checks every publisher's domain again. If a record was removed, its publisher's emails are sent from the installation's address again. */
export const checkSenders = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ checked: number; unanswered: number }> {
    const rows = await sendersToCheck(ctx, new Date(ctx.now().getTime() - intervalMs), maxPerRun)
    let unanswered = 0
    for (const row of rows) if (!(await checkRecords(ctx, row))) unanswered++
    return { checked: rows.length - unanswered, unanswered }
  },
})

/**
 * Checks a sender's domain and stores the result; with `forgetsRefusal` an address that the mail server refused is then tried again. False if DNS did
 * not respond: nothing changes.
 */
export async function checkRecords(
  ctx: AppContext,
  row: SenderRow,
  { forgetsRefusal = false }: { forgetsRefusal?: boolean } = {},
): Promise<boolean> {
  const { id, domain, selector, publicKey } = await withUsableKey(ctx, row)
  let records: SenderRecords
  try {
    records = await lookUp(ctx, { domain, selector, publicKey })
  } catch (error) {
    const dnsProblem = (error as Error).message.slice(0, 300)
    await PublisherSenders.update(ctx, { id, selector }, { dnsProblem })
    return false
  }
  await ctx.db.transaction(() => storeRecords(ctx, { id, selector }, { records, forgetsRefusal }))
  return true
}

/**
 * A key sealed under an earlier APP_SECRET cannot sign: it is replaced with a new one, whose record has to be added to DNS. Until the record is found,
 * emails are sent from the installation's address.
 */
async function withUsableKey(ctx: AppContext, row: SenderRow): Promise<SenderRow> {
  if (unseal(ctx.settings.appSecret, 'dkim-key', row.privateSealed) !== null) return row
  const key = await newSenderKey(ctx, row.domain)
  const sender = { id: row.id, selector: row.selector }
  return ctx.db.transaction(async () => {
    const current = await PublisherSenders.find(ctx, sender, { isLocked: true })
    // Another process replaced it first: its key stays, and is looked up at the next check.
    if (!current) return row
    const lost = current.activeSince === null ? {} : { activeSince: null, lostAt: ctx.now() }
    await PublisherSenders.update(ctx, sender, { ...key, ...lost })
    if (current.activeSince !== null) await announceLoss(ctx, current)
    return { ...current, ...key, ...lost }
  })
}

async function lookUp({ dns, settings }: AppContext, key: SenderKey): Promise<SenderRecords> {
  const { domain } = key
  const include = settings.mailSpfInclude
  const [dkim, domainTexts, dmarc] = await Promise.all([
    dns.texts(dkimName(key)),
    include === null ? [] : dns.texts(domain),
    dmarcTexts({ dns }, domain),
  ])
  return {
    dkim: dkimRecord(key, dkim),
    spf:
      include === null
        ? null
        : spfRecord({ domain, include }, domainTexts, await followSpf(dns, { domain, include }, domainTexts)),
    dmarc: dmarcRecord(domain, dmarc),
  }
}

/** How receivers evaluate a domain's SPF record with all its includes; null if there is not exactly one record. */
async function followSpf(
  dns: AppContext['dns'],
  query: { domain: string; include: string },
  texts: readonly string[],
): Promise<FollowedSpf | null> {
  const [record, ...others] = spfTexts(texts)
  return record === undefined || others.length > 0 ? null : walkSpf(dns, { ...query, record })
}

/** A domain without a DMARC record uses that of a parent domain. */
async function dmarcTexts({ dns }: Pick<AppContext, 'dns'>, domain: string): Promise<string[]> {
  for (const name of dmarcNames(domain)) {
    const texts = await dns.texts(name)
    if (texts.length > 0) return texts
  }
  return []
}

/** Emails are sent from the address only while it is verified and its key is known to be in DNS. */
async function storeRecords(
  ctx: AppContext,
  sender: { id: number; selector: string },
  { records, forgetsRefusal }: { records: SenderRecords; forgetsRefusal: boolean },
): Promise<void> {
  // Another address, with another key, may have been set during the DNS query.
  const row = await PublisherSenders.find(ctx, sender, { isLocked: true })
  if (!row) return
  const now = ctx.now()
  const refusal = forgetsRefusal ? { refusedAt: null, refusedAnswer: '' } : {}
  const { refusedAt } = { ...row, ...refusal }
  const isReady = row.verifiedAt !== null && refusedAt === null && records.dkim.state === 'found'
  const isLost = row.activeSince !== null && !isReady
  await PublisherSenders.update(ctx, sender, {
    records,
    checkedAt: now,
    dnsProblem: '',
    ...refusal,
    activeSince: isReady ? (row.activeSince ?? now) : null,
    lostAt: isReady ? null : isLost ? now : row.lostAt,
  })
  const { publisherId } = row
  if (isReady && row.activeSince === null)
    await recordAudit(ctx, 'start-sender', { type: 'sender', id: row.id, publisherId }, { domain: row.domain })
  if (isLost) await announceLoss(ctx, row)
}

async function announceLoss(ctx: AppContext, { id, publisherId, domain }: SenderRow): Promise<void> {
  await recordAudit(ctx, 'lose-sender', { type: 'sender', id, publisherId }, { domain })
  const about = { senderId: id, key: String(ctx.now().getTime()) }
  await enqueueMail(ctx, 'sender-lost', about, { dedupeKey: `sender-lost:${id}:${about.key}`, publisherId })
}
