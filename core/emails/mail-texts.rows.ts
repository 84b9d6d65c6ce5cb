import type { AppContext } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** A publisher's own text for an email to its readers. A blank subject or body means the email's standard one. */
export const MailTexts = defineTable('mail_texts', {
  id: id(),
  publicationId: ref(),
  /** Its name in the table of emails. */
  mail: text(),
  /** '' means every language that has no separate text. */
  language: text<Language | ''>(),
  subject: text(),
  body: text(),
  /** Null for the machine's operator. */
  updatedBy: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** A publisher's own subject and body, as they were typed; blank where the standard ones are used. */
export interface CustomText {
  subject: string
  body: string
}

/** The publication's own text of an email for a reader of this language; null where it has none. */
export async function customTextOf(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, mail, language }: { publicationId: number; mail: string; language: Language },
): Promise<CustomText | null> {
  const [row] = await MailTexts.rows(
    ctx,
    `SELECT ${MailTexts.columns()} FROM mail_texts
     WHERE publication_id = :publicationId AND mail = :mail AND language IN (:language, '') ORDER BY language DESC LIMIT 1`,
    { publicationId, mail, language },
  )
  return row ? { subject: row.subject, body: row.body } : null
}

export interface MailTextKey {
  publicationId: number
  mail: string
  language: Language | ''
}

/** Upserts a publication's own text of an email in one language; blank texts leave no row. */
export async function upsertMailText(ctx: AppContext, key: MailTextKey, text: CustomText): Promise<void> {
  if (text.subject === '' && text.body === '') {
    await MailTexts.remove(ctx, key)
    return
  }
  const updatedBy = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  const isNew = await MailTexts.insertNew(ctx, { ...key, ...text, updatedBy })
  if (!isNew) await MailTexts.update(ctx, key, { ...text, updatedBy })
}
