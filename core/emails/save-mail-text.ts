import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { recordVersion } from '../kernel/record-version.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { lockPublication } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { customisableMail, MailTextKey, TypedText, textProblems } from './customisable-mail.ts'
import { type CustomText, MailTexts, type MailTextKey as TextKey, upsertMailText } from './mail-texts.rows.ts'

/**
 * Changes the text of an email of one of the acting publisher's publications. A blank subject or body restores the standard one. With `version`, the
 * version of the text that was edited (`recordVersion`), it is refused if another user has changed the text since (compare-and-set).
 */
export const saveMailText = useCase({
  permission: 'publication:write',
  input: MailTextKey.extend(TypedText.shape).extend({ version: z.string().optional() }),
  async run(
    ctx,
    { publicationId, mail, language, version, subject, body },
  ): Promise<{ publicationId: number; body: string }> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    const problems = textProblems(customisableMail(mail), { subject, body })
    if (Object.keys(problems).length > 0) throw invalid(problems)
    // Locks the publication, since the first text has no row to lock yet.
    await lockPublication(ctx, publicationId)
    if (version !== undefined) await refuseStale(ctx, { publicationId, mail, language }, { version, subject, body })
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

/** Refuses to overwrite another user's change. Saving an identical text is allowed. */
async function refuseStale(
  ctx: AppContext,
  key: TextKey,
  { version, ...typed }: CustomText & { version: string },
): Promise<void> {
  const stored = await MailTexts.find(ctx, { ...key })
  const { subject, body } = stored ?? { subject: '', body: '' }
  const isSame = subject === typed.subject && body === typed.body
  if (recordVersion(stored) !== version && !isSame)
    throw conflict(
      'Somebody has changed this text since you opened it. Both versions are below: nothing has been lost.',
    )
}
