import type { AppContext } from '../context.ts'
import type { OutgoingMail } from './mailer.ts'

export interface OnceMail {
  /** One mail of a kind for one thing, such as `receipt:order:12`. */
  emailKey: string
  publicationId?: number
  orderId?: number
  view: { template: string }
  headers: Pick<OutgoingMail, 'to' | 'fromName'> & Partial<Pick<OutgoingMail, 'cc' | 'replyTo'>>
}

/**
 * Sends a mail once. It is written down with its Message-ID before it goes and marked after; a repeat of the job finds it sent.
 * A crash in between sends it again under the same Message-ID. Gives false when it had gone before.
 */
export async function sendOnce(ctx: AppContext, mail: OnceMail): Promise<boolean> {
  const { emailKey, publicationId, orderId, headers } = mail
  const { subject, html, text } = await ctx.mail.render(mail.view.template, mail.view)
  const messageId = `<${emailKey.replaceAll(/[^\w]+/g, '.')}@${new URL(ctx.settings.appUrl).hostname}>`
  await ctx.db.run(
    `INSERT INTO emails (email_key, template, publication_id, order_id, to_address, subject, message_id, state, created_at)
     VALUES (:emailKey, :template, :publicationId, :orderId, :to, :subject, :messageId, 'sending', :now)
     ON CONFLICT (email_key) DO NOTHING`,
    {
      emailKey,
      template: mail.view.template,
      publicationId: publicationId ?? null,
      orderId: orderId ?? null,
      to: headers.to,
      subject: subject.slice(0, 300),
      messageId,
      now: ctx.now(),
    },
  )
  const [row] = await ctx.db.query<{ state: string; message_id: string }>(
    `SELECT state, message_id FROM emails WHERE email_key = :emailKey`,
    { emailKey },
  )
  if (row?.state === 'sent') return false
  await ctx.mail.send({ ...headers, subject, html, text, messageId: row?.message_id ?? messageId })
  await ctx.db.run(`UPDATE emails SET state = 'sent', sent_at = :now WHERE email_key = :emailKey`, {
    emailKey,
    now: ctx.now(),
  })
  return true
}

/** Whether the mail of this key has gone already, for mails that are not to be written twice. */
export async function hasGone(ctx: AppContext, emailKey: string): Promise<boolean> {
  const [row] = await ctx.db.query<{ state: string }>(`SELECT state FROM emails WHERE email_key = :emailKey`, {
    emailKey,
  })
  return row?.state === 'sent'
}
