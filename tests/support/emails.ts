import type { AppContext } from '#core/context.ts'
import type { MailName } from '#core/emails/emails.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import type { TestServices } from './test-services.ts'

/** A queued email: its name, its parameters and its publisher. */
interface QueuedMail {
  mail: string
  about: Record<string, unknown>
  publisherId: number | null
}

/** All queued emails, oldest first; with a name, only those of that name. */
export async function queuedEmails({ db }: Pick<TestServices, 'db'>, name?: MailName): Promise<QueuedMail[]> {
  const rows = await db.query<{ payload: string | QueuedMail; publisher_id: number | null }>(
    `SELECT payload, publisher_id FROM jobs WHERE name = 'send-mail' ORDER BY id`,
  )
  return rows
    .map(({ payload, publisher_id: publisherId }) => {
      const { mail, about } = typeof payload === 'string' ? (JSON.parse(payload) as QueuedMail) : payload
      return { mail, about, publisherId }
    })
    .filter(({ mail }) => name === undefined || mail === name)
}

/** A function that sends an email of this name, as its job does. */
export function mailSender(mail: MailName): (ctx: AppContext, about: unknown) => Promise<boolean> {
  return (ctx, about) => sendMail(ctx, { mail, about })
}
