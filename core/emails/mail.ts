import type { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Language, locales } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import { fillPlaceholders, type PlaceholderValues } from '../kernel/placeholders.rules.ts'
import type { MailHeaders } from '../ports/mailer.ts'
import { type MailFrame, paragraphs } from './mail-frame.rules.ts'
import { type CustomText, customTextOf } from './mail-texts.rows.ts'
import { type MailReader, type MailTranslator, mailTranslator } from './mail-translator.ts'
import { stopKey } from './stop-link.ts'

/**
 * Why an email is sent. A notice must reach its recipient and needs no consent; a reminder is a service that its reader may stop; an offer is marketing
 * and needs consent.
 */
type MailKind = 'notice' | 'reminder' | 'offer'

/** Who gets an email, in whose name, and under which publication and order it is filed. */
export interface MailRecipient {
  to: string
  cc?: string
  replyTo?: string
  fromName: string
  /** Its publisher's own sender, where one is set, replaces name, address and reply-to address. */
  isToReader?: true
  /** For example the link by which its reader unsubscribes from emails of this kind. */
  headers?: MailHeaders
  publicationId?: number
  orderId?: number
  /** The record of the reader who gets it: the log files it there, and consent to reminders and offers is looked up there. */
  readerId?: number | null
  /** For an email about an account, which may have several records. */
  buyerId?: number
}

/** The data about the installation that a view needs. */
interface MailSite {
  appUrl: string
  timeZone: string
}

/** A publication as a sample of its emails shows it. */
export interface SamplePublication {
  frame: MailFrame
  currency: Currency
  /** The publisher's own opening and ending of every receipt. */
  texts: { opening: string; ending: string }
  links: { digitalEdition: string; ios: string; android: string; kindle: string }
}

/** The parts of an email to its readers that a publisher may write: a subject, and paragraphs in addition to the facts. */
interface Customization<About, Facts> {
  /** Its title for staff. */
  title: string
  /** When it is sent, for staff. */
  sentWhen: string
  /** The values of its placeholders. Null for an email of this row that is not for a reader, or to which the text does not apply. */
  placeholders(facts: Facts, t: MailTranslator, about: About): PlaceholderValues | null
  /** The publisher's text for this email in particular, in place of the text for all emails of the row; for a blank part the latter is used. */
  ownText?(facts: Facts): CustomText
  /** Paragraphs where the publisher has written none. */
  standard?(t: MailTranslator, facts: Facts): string[]
  /** The sample's facts, with the data of this publication. */
  sampleOf(facts: Facts, publication: SamplePublication): Facts
}

/** A row of the table of emails: the subject of an email, how its facts are read, and how they are rendered. */
interface MailDefinition<About, Facts, View extends MailFrame> {
  kind: MailKind
  /** Why it can never be sent again, for staff. */
  cannotResend?: string
  /** Ids, never records: the content of the email is read when it is rendered. */
  about: z.ZodType<About>
  /** The idempotency key of the email about this: it is sent once, however often it is requested. */
  key(about: About): string
  /** Null when the email no longer applies. */
  facts(ctx: AppContext, about: About): Promise<Facts | null>
  /** Null when there is no recipient. */
  recipient(facts: Facts, about: About): MailRecipient | null
  /** The last day on which it may be sent: later, the email is dropped. Left out, it has no last day. */
  until?(facts: Facts, about: About): Day
  /** The language of the recipient, for emails to a publication's readers. Left out, the email is English. */
  reader?(facts: Facts, about: About): MailReader
  /** Every value that the template uses; all text except the publisher's own is translated by `t`. */
  view(facts: Facts, about: About, site: MailSite, t: MailTranslator): View
  /** For emails to a publication's readers; its template shows `customText` and, in the subject, `customSubject`. */
  custom?: Customization<NoInfer<About>, NoInfer<Facts>>
  /** Example facts, for previews and tests. */
  sample: { about: NoInfer<About>; facts: NoInfer<Facts> }
}

/** A view with what every email has, such as the locale (`en-GB`) of its language. */
type WrittenView = MailFrame & {
  locale: string
  stop: StopLine | null
  /** Only for an email with a custom text; blank: the standard subject. */
  customSubject?: string
  /** The publisher's paragraphs, or the standard ones. */
  customText?: string[]
}

/** The line at the foot of an email that its reader may stop. */
interface StopLine {
  label: string
  url: string
}

export interface Mail<About = unknown> {
  kind: MailKind
  cannotResend: string | null
  about: z.ZodType<About>
  /** For emails to a publication's readers: the title for staff, and the names of the placeholders. */
  custom: { title: string; sentWhen: string; placeholders: string[] } | null
  /** Whether it is listed in a publication's mail log; the product's own emails are in none. */
  isOfPublication: boolean
  /** The view of a sample email for a reader of `language`; English if the email is never translated. */
  sample(language?: Language, from?: { publication: SamplePublication; text: CustomText | null }): WrittenView
  key(about: About): string
  /** `name` is the row's name, under which the publication's own text is stored. */
  write(ctx: AppContext, about: About, name: string): Promise<WrittenMail | null>
}

interface WrittenMail {
  view: WrittenView
  recipient: MailRecipient
  /** Its last day to be sent has passed. */
  isOver: boolean
}

const sampleSite: MailSite = { appUrl: 'https://subscriptions.example.com', timeZone: 'Europe/London' }
const english: MailReader = { language: null, country: null }

/** A row of the table of emails. */
export function mail<About, Facts, View extends MailFrame>(row: MailDefinition<About, Facts, View>): Mail<About> {
  const { kind, about, key, custom } = row
  const writeView = (
    facts: Facts,
    subject: About,
    site: MailSite,
    { reader = english, text, linkKey }: { reader: MailReader | undefined; text: CustomText | null; linkKey: string },
  ): WrittenView => {
    const t = mailTranslator(reader)
    const rowView = row.view(facts, subject, site, t)
    const view = {
      ...rowView,
      locale: locales[t.language],
      stop: stopLine(t, kind, `${rowView.storefrontUrl}/stop/${linkKey}`),
    }
    if (!custom) return view
    const values = custom.placeholders(facts, t, subject)
    const customText = custom.ownText?.(facts)
    const typedSubject = customText?.subject || text?.subject || ''
    const typedBody = customText?.body || text?.body || ''
    const customParagraphs = paragraphs(values ? typedBody : '').map((part) => fillPlaceholders(part, values ?? {}))
    return {
      ...view,
      customSubject: values ? fillPlaceholders(typedSubject, values) : '',
      customText: customParagraphs.length > 0 ? customParagraphs : (custom.standard?.(t, facts) ?? []),
    }
  }
  return {
    kind,
    about,
    key,
    cannotResend: row.cannotResend ?? null,
    isOfPublication: row.recipient(row.sample.facts, row.sample.about)?.publicationId !== undefined,
    custom: custom
      ? {
          title: custom.title,
          sentWhen: custom.sentWhen,
          placeholders: Object.keys(
            custom.placeholders(row.sample.facts, mailTranslator(english), row.sample.about) ?? {},
          ),
        }
      : null,
    sample(language = 'en', from) {
      const { about: subject } = row.sample
      const facts = custom && from ? custom.sampleOf(row.sample.facts, from.publication) : row.sample.facts
      const reader = row.reader?.(facts, subject)
      return writeView(facts, subject, sampleSite, {
        reader: reader && { ...reader, language },
        text: from?.text ?? null,
        linkKey: 'sample',
      })
    },
    async write(ctx, subject, name) {
      const facts = await row.facts(ctx, subject)
      const recipient = facts && row.recipient(facts, subject)
      if (!facts || !recipient) return null
      const reader = row.reader?.(facts, subject)
      const { publicationId } = recipient
      const text =
        custom && publicationId !== undefined
          ? await customTextOf(ctx, { publicationId, mail: name, language: reader?.language ?? 'en' })
          : null
      const { readerId } = recipient
      if (kind !== 'notice' && readerId == null) throw new Error(`${name} can be stopped but names no reader`)
      const linkKey =
        kind === 'notice' || readerId == null ? '' : stopKey(ctx.settings.appSecret, { readerId, what: kind })
      const until = row.until?.(facts, subject)
      return {
        recipient,
        view: writeView(facts, subject, ctx.settings, { reader, text, linkKey }),
        isOver: until !== undefined && until < dayOf(ctx.now(), ctx.settings.timeZone),
      }
    },
  }
}

/** Null for notices, which cannot be stopped. */
function stopLine(t: MailTranslator, kind: MailKind, url: string): StopLine | null {
  if (kind === 'notice') return null
  return { label: kind === 'reminder' ? t('Stop these reminders') : t('Stop offers by email'), url }
}
