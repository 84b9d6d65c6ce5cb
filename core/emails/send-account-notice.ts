import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { type AccountNotice, accountNotices } from '../jobs/catalog.ts'
import { printMoment } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import type { AccountNoticeView } from './account-notice.email.ts'
import { accountNoticeWords } from './account-notice-words.ts'
import { greeting, type MailRow, productFrame } from './mail-frame.rules.ts'
import { sendOnce } from './send-once.ts'

/** Tells a user by mail what happened to the account: what, when, from where, and what to do if it was somebody else. */
export const sendAccountNotice = useCase({
  permission: 'machine:operate',
  input: z.object({
    userId: z.number().int(),
    key: z.string(),
    kind: z.enum(accountNotices),
    to: z.string().optional(),
  }),
  transaction: 'none',
  async run(ctx, { userId, key, kind, to }): Promise<boolean> {
    const [user] = await ctx.db.query<{ email: string; first_name: string; last_name: string }>(
      `SELECT email, first_name, last_name FROM users WHERE id = :userId`,
      { userId },
    )
    if (!user) return false
    const { headline, meaning, advice, link } = accountNoticeWords[kind]
    const frame = productFrame(ctx.settings.appUrl)
    const address = to ?? user.email
    const view: AccountNoticeView = {
      ...frame,
      template: 'account-notice',
      greeting: greeting(`${user.first_name} ${user.last_name}`.trim()),
      headline,
      meaning,
      rows: [{ label: 'Account', value: address }, ...(await whenAndWhere(ctx, userId, kind))],
      advice,
      link: { label: link.label, url: `${ctx.settings.appUrl}${link.path}` },
    }
    return sendOnce(ctx, {
      emailKey: `account-notice:${userId}:${kind}:${key}`,
      view,
      headers: { to: address, fromName: frame.publisherName },
    })
  },
})

/** When it was, by whom if it was somebody else, and from where if it was the user: the audit log knows. */
async function whenAndWhere(ctx: AppContext, userId: number, kind: AccountNotice): Promise<MailRow[]> {
  const actions = accountNoticeWords[kind].actions
  const [entry] = await ctx.db.query<{
    happened_at: Date | string
    actor_kind: string
    actor_id: number | null
    address: string | null
  }>(
    `SELECT happened_at, actor_kind, actor_id, address FROM audit_log
     WHERE subject_type = 'user' AND subject_id = :userId AND action IN (:actions) ORDER BY id DESC LIMIT 1`,
    { userId, actions },
  )
  const at = entry ? asInstant(entry.happened_at) : ctx.now()
  const when = { label: 'When', value: `${printMoment(at, ctx.settings.timeZone)} (${ctx.settings.timeZone})` }
  if (!entry) return [when]
  const isOther = entry.actor_kind === 'operator' || (entry.actor_kind === 'staff' && entry.actor_id !== userId)
  // Where somebody else works from is no business of the user's.
  if (isOther) return [when, { label: 'By', value: 'Somebody who looks after your account' }]
  return entry.address ? [when, { label: 'From', value: entry.address }] : [when]
}
