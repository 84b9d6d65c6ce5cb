import type { AppContext } from '../context.ts'
import { formatDay } from '../kernel/dates.ts'
import { fillPlaceholders } from '../kernel/placeholders.rules.ts'
import { productNames } from '../pricing/plan-code.rules.ts'
import type { EffortLetter } from './effort-letters.ts'
import { effortsOf } from './renewal-efforts.rows.ts'
import { seriesOf } from './renewal-series.rows.ts'
import type { EffortKind, effortPlaceholders } from './series.rules.ts'

interface Text {
  subject: string
  body: string
}

/** The recipient of a letter. */
interface Addressee {
  title: string
  firstName: string
  lastName: string
  /** Used if the parts of the name are unknown. */
  fullName: string
}

/**
 * Returns a function that fills in the text of a letter for its recipient: the effort's own text, or the publication's template for that kind of
 * email. Blank if there is neither, since the standard text is written for emails. Letters are in English, like the rest of their file.
 */
export async function letterTexts(
  ctx: AppContext,
  { publicationId, shopUrl }: { publicationId: number; shopUrl: string },
): Promise<(letter: EffortLetter, addressee: Addressee) => Text> {
  const efforts = await effortsOf(ctx, { publicationId, ...(await seriesOf(ctx, publicationId)) })
  const byDay = new Map(efforts.map((effort) => [effort.dayOffset, effort]))
  const templates = new Map(
    (
      await ctx.db.query<Text & { mail: string }>(
        `SELECT mail, subject, body FROM mail_texts WHERE publication_id = :publicationId AND language = ''
           AND mail IN ('renewal-reminder', 'renewal-offer')`,
        { publicationId },
      )
    ).map(({ mail, ...text }) => [mail, text]),
  )
  const [title] = await ctx.db.query<{
    name: string
    publisher: string | null
    email: string
    ownEmail: string | null
  }>(
    `SELECT p.publication_name AS name, a.company_name AS publisher, p.email_address AS email, a.email_address AS "ownEmail"
     FROM publications p LEFT JOIN accounts a ON a.user_id = p.publisher_id WHERE p.id = :publicationId`,
    { publicationId },
  )
  const frame = {
    publication: title?.name ?? '',
    publisher: title?.publisher || (title?.name ?? ''),
    'contact email': title?.email || (title?.ownEmail ?? ''),
    'shop address': shopUrl,
  }
  const ownText = ({ dayOffset, variant }: EffortLetter): Text => {
    const { subject = '', body = '', subjectB = '', bodyB = '' } = byDay.get(dayOffset) ?? {}
    return variant === 'b' ? { subject: subjectB || subject, body: bodyB || body } : { subject, body }
  }
  return (letter, { title: courtesy, firstName, lastName, fullName }) => {
    const name = [courtesy, firstName, lastName].filter(Boolean).join(' ') || fullName
    const values: Record<(typeof effortPlaceholders)[number], string> = {
      name,
      'first name': firstName || name,
      subscription: productNames[letter.currentProduct],
      'expiry date': formatDay(letter.cycleOn),
      'valid until': formatDay(letter.validUntil),
      ...frame,
    }
    const customText = ownText(letter)
    const template = templates.get(mailOf[letter.kind])
    return {
      subject: fillPlaceholders(customText.subject || template?.subject || '', values),
      body: fillPlaceholders(customText.body || template?.body || '', values),
    }
  }
}

const mailOf: Record<EffortKind, string> = { reminder: 'renewal-reminder', offer: 'renewal-offer' }
