import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { addressMark, markOwner, maySendAgain } from '../bounces/address-marks.rows.ts'
import type { AppContext } from '../context.ts'
import { enqueueMailAgain } from '../jobs/enqueue-mail.ts'
import { conflict } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { Readers } from '../readers/readers.rows.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import type { Emails } from './emails.rows.ts'
import { mailTitle } from './mail-log.query.ts'
import { ownEmail } from './own-email.ts'
import { findMail, sendProblem, withoutBounced } from './send-mail.ts'

const perMail = { hits: 3, windowSeconds: 60 * 60 }
const perPublisher = { hits: 100, windowSeconds: 60 * 60 }

/** Sends an email of the log again, rendered with current data. Idempotent by its key. Refused if it no longer applies, or has no recipient. */
export const resendMail = useCase({
  permission: 'mail:resend',
  input: z.object({
    id: z.coerce.number('The email was not found').int(),
    key: z
      .string('Required')
      .regex(/^[\w-]{8,64}$/, 'Must be 8 to 64 letters, digits, “-” and “_”. On a page, reload it.'),
  }),
  async run(ctx, { id, key }): Promise<{ to: string; title: string }> {
    const { row, publisherId } = await ownEmail(ctx, id)
    const { to, about } = await requireResendable(ctx, row)
    await countAttempt(ctx, `resend-mail:${id}`, perMail)
    await countAttempt(ctx, `resend-emails:${publisherId}`, perPublisher)
    const resendKey = `${id}.${key.slice(0, 40)}`
    await enqueueMailAgain(
      ctx,
      { mail: row.template, about, again: resendKey },
      { dedupeKey: `resend:${resendKey}`, publisherId },
    )
    const subject = { type: 'publication', id: row.publicationId, publisherId }
    await recordAudit(ctx, 'resend-mail', subject, { mail: row.template, emailId: id })
    return { to, title: mailTitle(row.template) }
  },
})

type EmailRow = RowOf<typeof Emails>

/** The data that the email is about, and its current recipient. Throws the reason if it cannot be sent again. */
async function requireResendable(
  ctx: AppContext,
  row: EmailRow,
): Promise<{ to: string; about: Record<string, string | number> }> {
  const mail = findMail(row.template)
  if (mail?.cannotResend) throw refused(mail.cannotResend)
  if (row.state === 'waiting' || row.state === 'sending') throw refused('It is still on its way.')
  if (row.readerId !== null && !(await Readers.find(ctx, { id: row.readerId })))
    throw refused('Its reader was removed.')
  const about = mail && row.about ? mail.about.safeParse(row.about) : null
  if (!mail || !row.about || !about?.success)
    throw refused('It was sent by an older release, which did not record what it was about.')
  const written = await mail.write(ctx, about.data, row.template)
  const problem = await sendProblem(ctx, mail.kind, written)
  if (!written || problem !== null) throw refused(`${problem}.`)
  const publisherId = await markOwner(ctx, row.publicationId ?? undefined)
  const { to } = await withoutBounced(ctx, publisherId, { recipient: written.recipient, row: null })
  const mark = await addressMark(ctx, { publisherId, address: to })
  const isLogged = to === row.toAddress
  if (mark?.bouncedAt) throw undeliverable({ to, isLogged }, mark.answer)
  if (row.state === 'refused' && isLogged && !maySendAgain(mark)) throw undeliverable({ to, isLogged }, row.lastAnswer)
  return { to, about: row.about }
}

/** `isLogged`: the address is the one that the mail log shows for the email. */
function undeliverable({ to, isLogged }: { to: string; isLogged: boolean }, answer: string | null) {
  const reason = `${to} does not accept it${answer ? `: ${answer.slice(0, 200)}` : ''}.`
  const where = isLogged ? 'on the page of the email in the mail log' : 'at the last email to it in the mail log'
  return refused(`${reason} Correct the address, or choose “Try this address again” ${where}.`)
}

function refused(reason: string) {
  return conflict(`This email cannot be sent again. ${reason}`)
}
