import type { AppContext } from '#core/context.ts'
import type { MailName } from '#core/emails/mails.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import type { TestServices } from './test-services.ts'

/** A mail that was left to be sent: its name in the table and what it is about. */
interface LeftMail {
  mail: string
  about: Record<string, unknown>
  publisherId: number | null
}

/** Every mail that was left, the first one first; of one name where it is said. */
export async function leftMails({ db }: Pick<TestServices, 'db'>, name?: MailName): Promise<LeftMail[]> {
  const rows = await db.query<{ payload: string | LeftMail; publisher_id: number | null }>(
    `SELECT payload, publisher_id FROM jobs WHERE name = 'send-mail' ORDER BY id`,
  )
  return rows
    .map(({ payload, publisher_id: publisherId }) => {
      const { mail, about } = typeof payload === 'string' ? (JSON.parse(payload) as LeftMail) : payload
      return { mail, about, publisherId }
    })
    .filter(({ mail }) => name === undefined || mail === name)
}

/** Sends one mail of the table, as its job does. */
export function sending(mail: MailName): (ctx: AppContext, about: unknown) => Promise<boolean> {
  return (ctx, about) => sendMail(ctx, { mail, about })
}
