import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Database } from '../database.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { PublisherSenders, type SenderRow } from './publisher-senders.rows.ts'
import { dkimRecord, dmarcRecord, type SenderRecord, spfRecord } from './sender-records.rules.ts'

/** Whether emails are sent from the publisher's own address (`active`), and if not, why. */
export const senderStates = ['none', 'unverified', 'no-key', 'lost', 'refused', 'active'] as const
export type SenderState = (typeof senderStates)[number]

export interface SenderView {
  senderName: string
  address: string
  replyTo: string
  state: SenderState
  /** Null: DNS was not queried yet. */
  checkedAt: Date | null
  /** Why a later DNS query failed; empty if it did not. */
  dnsProblem: string
  verifiedAt: Date | null
  lostAt: Date | null
  /** Since when the mail server refuses the address as a sender, and its response; null and empty if it does not. */
  refusedAt: Date | null
  refusedAnswer: string
  /** Whether a link was sent and not opened yet. */
  isLinkOpen: boolean
  /** The required DNS records, in order of importance. */
  records: (SenderRecord & { kind: 'DKIM' | 'SPF' | 'DMARC' })[]
}

/** The sender of the acting publisher's emails to its readers, for its page. */
export const getSender = useCase({
  permission: 'sender:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<SenderView> {
    const row = await PublisherSenders.find(ctx, { publisherId: requirePublisherId(ctx) })
    if (!row)
      return {
        senderName: '',
        address: '',
        replyTo: '',
        state: 'none',
        checkedAt: null,
        dnsProblem: '',
        verifiedAt: null,
        lostAt: null,
        refusedAt: null,
        refusedAnswer: '',
        isLinkOpen: false,
        records: [],
      }
    const { senderName, address, replyTo, checkedAt, dnsProblem, verifiedAt, lostAt, tokenUntil } = row
    const { refusedAt, refusedAnswer } = row
    return {
      senderName,
      address,
      replyTo,
      checkedAt,
      dnsProblem,
      verifiedAt,
      lostAt,
      refusedAt,
      refusedAnswer,
      state: stateOf(row),
      isLinkOpen: tokenUntil !== null && tokenUntil > ctx.now(),
      records: address === '' ? [] : recordsView(ctx, row),
    }
  },
})

function stateOf({ address, activeSince, verifiedAt, lostAt, refusedAt }: SenderRow): SenderState {
  if (address === '') return 'none'
  if (activeSince !== null) return 'active'
  if (refusedAt !== null) return 'refused'
  if (lostAt !== null) return 'lost'
  return verifiedAt === null ? 'unverified' : 'no-key'
}

/** The last DNS results; before the first query, the required records. */
function recordsView({ settings }: AppContext, row: SenderRow): SenderView['records'] {
  const { domain } = row
  const include = settings.mailSpfInclude
  const { dkim, spf, dmarc } = row.records ?? {
    dkim: dkimRecord(row, []),
    spf: include === null ? null : spfRecord({ domain, include }, [], null),
    dmarc: dmarcRecord(domain, []),
  }
  return [
    { kind: 'DKIM', ...dkim },
    ...(spf === null ? [] : [{ kind: 'SPF' as const, ...spf }]),
    { kind: 'DMARC', ...dmarc },
  ]
}

/** A publisher's own sender and its problems, for the machine's operator. */
interface SenderFinding {
  company: string
  address: string
  /** Each in a few words: `DKIM missing at mh1._domainkey.example.com`. */
  problems: string[]
  checkedAt: Date | null
}

/** A publisher's own sender in a list of all. */
export interface ListedSender extends SenderFinding {
  /** The email of the publisher. */
  publisher: string
  state: SenderState
}

/** Every publisher's own sender, for the machine's operator. */
export const listSenders = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  run: (ctx) => senderFindings(ctx),
})

/** Every publisher's own sender, with its problems. */
export async function senderFindings({ db }: { db: Database }): Promise<ListedSender[]> {
  const rows = await PublisherSenders.rows<{ company: string | null; publisher: string }>(
    { db },
    `SELECT ${PublisherSenders.columns('s')}, a.company_name AS company, u.email AS publisher FROM publisher_senders s
       JOIN users u ON u.id = s.publisher_id LEFT JOIN accounts a ON a.user_id = s.publisher_id WHERE s.address <> '' ORDER BY s.id`,
    {},
  )
  return rows.map((row) => ({
    publisher: row.publisher,
    company: row.company ?? '',
    state: stateOf(row),
    address: row.address,
    checkedAt: row.checkedAt,
    problems: problemsOf(row),
  }))
}

function problemsOf({ verifiedAt, records, dnsProblem, refusedAt, refusedAnswer }: SenderRow): string[] {
  const { dkim, spf, dmarc } = records ?? {}
  const recordsByKind = [['DKIM', dkim] as const, ['SPF', spf] as const, ['DMARC', dmarc] as const]
  return [
    ...(verifiedAt === null ? ['its address is not verified'] : []),
    ...(refusedAt === null ? [] : [`MAIL_URL's server refuses it as a sender: ${refusedAnswer}`]),
    ...(records ? [] : ['DNS has not been queried yet']),
    ...recordsByKind.flatMap(([kind, record]) =>
      record && record.state !== 'found' ? [`${kind} ${record.state} at ${record.name}`] : [],
    ),
    ...(dnsProblem ? [`DNS is not responding: ${dnsProblem}`] : []),
  ]
}
