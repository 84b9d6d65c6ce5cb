import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { customisableEmails, customisableMail, MailTextKey } from './customisable-mail.ts'
import type { Mail } from './mail.ts'
import { MailTexts } from './mail-texts.rows.ts'

/** One language's text of an email, as it is stored. */
export interface StoredText {
  mail: string
  language: Language | ''
  subject: string
  body: string
  updatedAt: Date
  /** Identifies this state of the text: sent along when it is saved. */
  version: string
  /** The name of the user who changed it last; null for the machine's operator, or a user who was removed. */
  updatedBy: string | null
}

/** An email to a publication's readers, with the texts that its publisher has written for it. */
export interface ListedMail {
  name: string
  kind: Mail['kind']
  title: string
  sentWhen: string
  texts: StoredText[]
}

/** Every email that the readers of one of the acting publisher's publications get. */
export const listEmails = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<ListedMail[]> {
    await ownPublication(ctx, { id: publicationId })
    const texts = await textsOf(ctx, publicationId)
    return customisableEmails.map(({ name, mail: { kind, custom } }) => ({
      name,
      kind,
      title: custom.title,
      sentWhen: custom.sentWhen,
      texts: texts.filter(({ mail }) => mail === name),
    }))
  },
})

/** An email as its editor shows it: the stored texts of all languages, and the names of its placeholders. */
export const getMailText = useCase({
  permission: 'publication:write',
  input: MailTextKey.omit({ language: true }),
  transaction: 'none',
  async run(ctx, { publicationId, mail }): Promise<ListedMail & { placeholders: string[] }> {
    await ownPublication(ctx, { id: publicationId })
    const { kind, custom } = customisableMail(mail)
    const texts = (await textsOf(ctx, publicationId)).filter((text) => text.mail === mail)
    return { name: mail, kind, ...custom, texts }
  },
})

async function textsOf(ctx: AppContext, publicationId: number): Promise<StoredText[]> {
  const columns = MailTexts.pick('mail', 'language', 'subject', 'body', 'updatedAt')
  const rows = await columns.rows<{ updatedBy: string | null }>(
    ctx,
    `SELECT ${columns.columns('t')}, NULLIF(TRIM(u.first_name || ' ' || u.last_name), '') AS "updatedBy"
     FROM mail_texts t LEFT JOIN users u ON u.id = t.updated_by WHERE t.publication_id = :publicationId ORDER BY t.mail, t.language`,
    { publicationId },
  )
  return rows.map((row) => ({ ...row, version: recordVersion(row) }))
}
