import { z } from 'zod'
import { checkSender } from '#core/senders/check-sender.ts'
import { getSender, type SenderView, senderStates } from '#core/senders/get-sender.query.ts'
import { saveSender, sendSenderLink } from '#core/senders/save-sender.ts'
import { recordStates } from '#core/senders/sender-records.rules.ts'
import { type ApiCall, get, post } from './api-call.ts'

const WireMoment = z.iso.datetime()

const WireSender = z.object({
  senderName: z.string().describe("What readers see; empty: each publication's name"),
  address: z.string().describe("Empty: the installation's address"),
  replyTo: z.string().describe("Where replies go; empty: each publication's email"),
  state: z
    .enum(senderStates)
    .describe(
      'none: no address of its own; unverified: its link was not opened; no-key: its DKIM record was not found; lost: it is no longer found; refused: by the mail server; active: in use',
    ),
  isLinkOpen: z.boolean().describe('Whether a link to confirm the address is being sent, or has not been opened yet'),
  verifiedAt: WireMoment.nullable(),
  lostAt: WireMoment.nullable(),
  refusedAt: WireMoment.nullable(),
  refusedAnswer: z.string().describe('The response of the mail server'),
  checkedAt: WireMoment.nullable().describe('When DNS last responded'),
  dnsProblem: z.string().describe('Why a later DNS query failed; empty if none has'),
  records: z.array(
    z.object({
      kind: z.enum(['DKIM', 'SPF', 'DMARC']),
      state: z.enum(recordStates),
      name: z.string().describe('Where the TXT record belongs'),
      value: z.string().describe('The required value'),
      found: z.string().describe('The current value'),
      problem: z.string(),
    }),
  ),
})

const isoOf = (at: Date | null) => at?.toISOString() ?? null

function wireSender({ checkedAt, verifiedAt, lostAt, refusedAt, ...sender }: SenderView): z.infer<typeof WireSender> {
  const moments = { checkedAt: isoOf(checkedAt), verifiedAt: isoOf(verifiedAt) }
  return { ...sender, ...moments, lostAt: isoOf(lostAt), refusedAt: isoOf(refusedAt) }
}

/** The sender of the publisher's emails to its readers. The emailed link is opened in a browser, so no call confirms it. */
export const senderCalls: readonly ApiCall[] = [
  get({
    path: '/sender',
    summary: "The sender of the publisher's emails to readers, with the DNS records of its own address",
    useCase: getSender,
    response: WireSender,
    toResponse: wireSender,
  }),
  post({
    path: '/sender',
    summary:
      'Set name, address and reply-to address: all three fields are replaced. A new address is emailed a link that confirms it.',
    useCase: saveSender,
    body: { senderName: 'senderName', address: 'address', replyTo: 'replyTo' },
    response: z.object({ isLinkSent: z.boolean() }),
    extraStatuses: [409],
  }),
  post({
    path: '/sender/link',
    summary: 'Email a new link to an address that is not confirmed yet',
    useCase: sendSenderLink,
    response: z.object({ to: z.string() }),
    extraStatuses: [409],
  }),
  post({
    path: '/sender/check',
    summary: 'Look up the DNS records now; an address that the mail server refused is tried again from then on',
    useCase: checkSender,
    response: z.object({
      isAnswered: z.boolean().describe('false: DNS did not respond, and the earlier result stays'),
    }),
    extraStatuses: [409],
  }),
]
