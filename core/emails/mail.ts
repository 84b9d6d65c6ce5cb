import type { z } from 'zod'
import type { AppContext } from '../context.ts'
import { type Language, locales } from '../kernel/languages.ts'
import type { MailFrame } from './mail-frame.rules.ts'
import { type MailReader, type MailTranslator, mailTranslator } from './mail-translator.ts'

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
  /** The language of who gets it, for mails to a publication's readers. Left out, the mail is English. */
  reader?(facts: Facts, about: About): MailReader
  /** Every name that the template asks for; what is not the publisher's own is said by `t`. */
  view(facts: Facts, about: About, site: MailSite, t: MailTranslator): View
  /** Facts as they may be, for previews and tests. */
  sample: { about: NoInfer<About>; facts: NoInfer<Facts> }
}

/** A view with the language its frame is marked with (`en-GB`). */
type WrittenView = MailFrame & { locale: string }

export interface Mail<About = unknown> {
  kind: MailKind
  about: z.ZodType<About>
  /** The view of a mail as it may be, in the language that it is written in for somebody who reads `language`. */
  sample(language?: Language): WrittenView
  key(about: About): string
  write(ctx: AppContext, about: About): Promise<{ view: WrittenView; recipient: MailRecipient } | null>
}

const sampleSite: MailSite = { appUrl: 'https://subscriptions.example.com', timeZone: 'Europe/London' }

/** A row of the table of mails. */
export function mail<About, Facts, View extends MailFrame>(row: MailRow<About, Facts, View>): Mail<About> {
  const { kind, about, key } = row
  const written = (facts: Facts, subject: About, site: MailSite, reader: MailReader | undefined): WrittenView => {
    const t = mailTranslator(reader ?? { language: null, country: null })
    return { ...row.view(facts, subject, site, t), locale: locales[t.language] }
  }
  return {
    kind,
    about,
    key,
    sample(language = 'en') {
      const { about: subject, facts } = row.sample
      const reader = row.reader?.(facts, subject)
      return written(facts, subject, sampleSite, reader && { ...reader, language })
    },
    async write(ctx, subject) {
      const facts = await row.facts(ctx, subject)
      const recipient = facts && row.recipient(facts, subject)
      return (
        facts && recipient && { recipient, view: written(facts, subject, ctx.settings, row.reader?.(facts, subject)) }
      )
    },
  }
}
