import { z } from 'zod'
import { addressMark, installationPublisherId } from '../bounces/address-marks.rows.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { type Language, languages } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { customisableMail, MailTextKey, TypedText, textProblems } from './customisable-mail.ts'
import type { SamplePublication } from './mail.ts'
import { fromPublication } from './mail-frame.rules.ts'
import { type CustomText, customTextOf } from './mail-texts.rows.ts'
import { publicationFrame } from './publication-frame.query.ts'
import { senderOf } from './send-mail.ts'

/** An email as its readers will get it, about a sample order or renewal. */
export interface MailPreview {
  fromName: string
  replyTo: string
  subject: string
  html: string
  text: string
  /** What is wrong with the typed placeholders, by field; they are shown as typed. */
  problems: Record<string, string>
}

/** Renders an email with a text that is being edited, by the same code that sends it. Nothing is stored. */
export const previewMail = useCase({
  permission: 'publication:write',
  input: MailTextKey.extend(TypedText.shape),
  transaction: 'none',
  async run(ctx, input): Promise<MailPreview> {
    return renderPreview(ctx, input)
  },
})

/** The standard text of an email in each language, about the sample. */
export const standardTexts = useCase({
  permission: 'publication:write',
  input: MailTextKey.omit({ language: true }),
  transaction: 'none',
  async run(ctx, { publicationId, mail: name }): Promise<Record<Language, string>> {
    await ownPublication(ctx, { id: publicationId })
    const mail = customisableMail(name)
    const publication = await samplePublication(ctx, publicationId)
    const sampleText = (language: Language) => mail.sample(language, { publication, text: null }).customText ?? []
    return Object.fromEntries(languages.map((language) => [language, sampleText(language).join('\n\n')])) as Record<
      Language,
      string
    >
  },
})

/** Emails the acting member of staff a sample with the typed text. */
export const sendSampleMail = useCase({
  permission: 'publication:write',
  input: MailTextKey.extend({
    ...TypedText.shape,
    /** The text belongs to one email, such as an offer: a blank part is taken from the publication's text. */
    isOwn: z.boolean().default(false),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<{ to: string }> {
    if (ctx.actor.kind !== 'staff')
      throw new AppError('denied', 'Only a logged-in user can send a sample: it goes to their own address')
    const { userId, email: to } = ctx.actor
    await countAttempt(ctx, `sample-mail:${userId}`, { hits: 20, windowSeconds: 3600 })
    const { problems, fromName, replyTo, ...mail } = await renderPreview(ctx, input)
    const mark = await addressMark(ctx, { publisherId: installationPublisherId, address: to })
    if (mark?.bouncedAt)
      throw conflict(`Nothing is sent to ${to}: emails to it bounce (${mark.answer})`, {
        hint: 'Correct the address, or choose “Try this address again” on your page in Users.',
      })
    const messageId = `<sample.${userId}.${ctx.now().getTime()}@${new URL(ctx.settings.appUrl).hostname}>`
    const sender = await senderOf(ctx, customisableMail(input.mail).kind, {
      publicationId: input.publicationId,
      isToReader: true,
    })
    const outcome = await ctx.mail.send({
      ...mail,
      to,
      fromName,
      messageId,
      ...(replyTo ? { replyTo } : {}),
      ...sender,
    })
    const problem = 'heldUntil' in outcome ? 'it is not responding' : outcome.answers.find(({ fault }) => fault)?.answer
    if (problem !== undefined) throw new AppError('upstream', `The mail server did not accept the sample: ${problem}`)
    return { to }
  },
})

type Typed = { publicationId: number; mail: string; language: Language | ''; isOwn?: boolean } & CustomText

async function renderPreview(
  ctx: AppContext,
  { publicationId, mail: name, language, isOwn = false, ...typed }: Typed,
): Promise<MailPreview> {
  await ownPublication(ctx, { id: publicationId })
  const mail = customisableMail(name)
  const publication = await samplePublication(ctx, publicationId)
  const isBlank = typed.subject === '' && typed.body === ''
  // A language that has no separate text uses the text for all languages.
  const template =
    (isOwn || isBlank) && language ? await customTextOf(ctx, { publicationId, mail: name, language }) : null
  const text = isOwn
    ? { subject: typed.subject || template?.subject || '', body: typed.body || template?.body || '' }
    : (template ?? typed)
  const view = mail.sample(language || 'en', { publication, text })
  const { isToReader, ...standard } = fromPublication(publication.frame)
  const { fromName, replyTo = '' } = { ...standard, ...(await senderOf(ctx, mail.kind, { publicationId, isToReader })) }
  return { fromName, replyTo, ...(await ctx.mail.render(name, view)), problems: textProblems(mail, typed) }
}

type Row = Record<string, string | null> & { currency: Currency | null }

async function samplePublication(ctx: AppContext, publicationId: number): Promise<SamplePublication> {
  const [row] = await ctx.db.query<Row>(
    `SELECT p.email_text, p.email_end, p.digital_edition_link, p.ios_app_link, p.android_app_link, p.kindle_app_link,
       a.main_currency AS currency
     FROM publications p LEFT JOIN accounts a ON a.user_id = p.publisher_id WHERE p.id = :publicationId`,
    { publicationId },
  )
  const text = (name: string) => row?.[name] ?? ''
  return {
    frame: await publicationFrame(ctx, publicationId),
    currency: row?.currency ?? 'GBP',
    texts: { opening: text('email_text'), ending: text('email_end') },
    links: {
      digitalEdition: text('digital_edition_link'),
      ios: text('ios_app_link'),
      android: text('android_app_link'),
      kindle: text('kindle_app_link'),
    },
  }
}
