import type { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { MailFrame } from './mail-frame.rules.ts'

/**
 * Why a mail is sent. A notice is owed to whoever gets it and asks for no consent; a reminder is a service that its reader may stop; an
 * offer is marketing and needs consent.
 */
type MailKind = 'notice' | 'reminder' | 'offer'

/** Who gets a mail, in whose name, and under which publication and order it is filed. */
export interface MailRecipient {
  to: string
  cc?: string
  replyTo?: string
  fromName: string
  publicationId?: number
  orderId?: number
}

/** What a view knows of the installation. */
interface MailSite {
  appUrl: string
  timeZone: string
}

/** A mail as its row says it: what it is about, how its facts are read, and what is made of them. */
interface MailRow<About, Facts, View extends MailFrame> {
  kind: MailKind
  /** Ids, never records: what the mail says is read when it is written. */
  about: z.ZodType<About>
  /** Names the one mail about this: it is sent once, however often it is asked for. */
  key(about: About): string
  /** Null when there is nothing to say any more. */
  facts(ctx: AppContext, about: About): Promise<Facts | null>
  /** Null when there is nobody to say it to. */
  recipient(facts: Facts, about: About): MailRecipient | null
  /** Every name that the template asks for. */
  view(facts: Facts, about: About, site: MailSite): View
  /** A view as it may be, for previews and tests. */
  sample: View
}

export interface Mail<About = unknown> {
  kind: MailKind
  about: z.ZodType<About>
  sample: MailFrame
  key(about: About): string
  write(ctx: AppContext, about: About): Promise<{ view: MailFrame; recipient: MailRecipient } | null>
}

/** A row of the table of mails. */
export function mail<About, Facts, View extends MailFrame>(row: MailRow<About, Facts, View>): Mail<About> {
  const { kind, about, sample, key } = row
  return {
    kind,
    about,
    sample,
    key,
    async write(ctx, subject) {
      const facts = await row.facts(ctx, subject)
      const recipient = facts && row.recipient(facts, subject)
      return facts && recipient && { recipient, view: row.view(facts, subject, ctx.settings) }
    },
  }
}
