import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { Emails } from './emails.rows.ts'
import type { Mail, MailRecipient } from './mail.ts'
import { mails } from './mails.ts'

/**
 * The job: writes a mail of the table and sends it, once however often it is asked for. Gives false when it had gone before, and when
 * there is nothing to say, or nobody to say it to, any more.
 */
export const sendMail = useCase({
  permission: 'machine:operate',
  input: z.object({ mail: z.string(), about: z.record(z.string(), z.unknown()) }),
  transaction: 'none',
  async run(ctx, input): Promise<boolean> {
    const mail = mailNamed(input.mail)
    const about = mail.about.safeParse(input.about)
    if (!about.success) throw new AppError('malformed', `No ${input.mail} is about this`, { detail: about.error })
    const key = mail.key(about.data)
    // Before it is written: a link is made anew each time, and the older ones of its user are void from then on.
    if ((await Emails.find(ctx, { emailKey: key }))?.state === 'sent') return false
    const written = await mail.write(ctx, about.data, input.mail)
    if (!written) return false
    return sendOnce(ctx, { key, template: input.mail, ...written })
  },
})

/** A name that is not in the table is of a newer release: the job is tried again, by a worker that has been upgraded meanwhile. */
function mailNamed(name: string): Mail {
  const row = Object.hasOwn(mails, name) ? (mails as Record<string, Mail>)[name] : undefined
  if (!row) throw new Error(`There is no mail ${name}`)
  return row
}

interface WrittenMail {
  key: string
  template: string
  view: object
  recipient: MailRecipient
}

/**
 * Writes a mail down with its Message-ID before it goes and marks it after. A crash in between sends it again under the same Message-ID.
 * Gives false when another process has sent it meanwhile.
 */
async function sendOnce(ctx: AppContext, { key, template, view, recipient }: WrittenMail): Promise<boolean> {
  const { publicationId, orderId, ...headers } = recipient
  const { subject, html, text } = await ctx.mail.render(template, view)
  const messageId = `<${key.replaceAll(/[^\w]+/g, '.')}@${new URL(ctx.settings.appUrl).hostname}>`
  await Emails.insertNew(ctx, {
    emailKey: key,
    template,
    publicationId,
    orderId,
    toAddress: headers.to,
    subject: subject.slice(0, 300),
    messageId,
    state: 'sending',
  })
  const row = await Emails.find(ctx, { emailKey: key })
  if (row?.state === 'sent') return false
  await ctx.mail.send({ ...headers, subject, html, text, messageId: row?.messageId ?? messageId })
  await Emails.update(ctx, { emailKey: key }, { state: 'sent', sentAt: ctx.now() })
  return true
}
