import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { editedMail, TypedText, textProblems, WhichText } from './edited-mail.ts'
import { upsertMailText } from './mail-texts.rows.ts'

/** Changes what one of the acting publisher's publications says in a mail. Blank subject and body go back to the standard ones. */
export const saveMailText = useCase({
  permission: 'publication:write',
  input: WhichText.extend(TypedText.shape),
  async run(ctx, { publicationId, mail, language, subject, body }): Promise<{ publicationId: number; body: string }> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    const problems = textProblems(editedMail(mail), { subject, body })
    if (Object.keys(problems).length > 0) throw invalid(problems)
    await upsertMailText(ctx, { publicationId, mail, language }, { subject, body })
    await recordAudit(
      ctx,
      'update-mail-text',
      { type: 'publication', id: publicationId, publisherId },
      { mail, ...(language ? { language } : {}), characters: body.length },
    )
    return { publicationId, body }
  },
})
