import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { linesText } from '../kernel/form-fields.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'
import { Publications } from './publications.rows.ts'

/** The texts a publisher writes itself: under the receipt of an order, and of the reminder that a subscription ends. */
const columns = { receipt: 'receiptText', renewal: 'renewText' } as const

/** Changes the receipt's or the renewal mail's text of one of the acting publisher's publications. Blank is the default text. */
export const updateMailText = useCase({
  permission: 'publication:write',
  input: z.object({
    id: z.coerce.number('Required').int(),
    mail: z.enum(['receipt', 'renewal']),
    text: linesText(20_000),
  }),
  async run(ctx, { id, mail, text }): Promise<{ id: number; text: string }> {
    const publication = await ownPublication(ctx, { id })
    await Publications.update(ctx, { id }, { [columns[mail]]: text })
    await recordAudit(
      ctx,
      'update-mail-text',
      { type: 'publication', id, publisherId: publication.publisherId },
      { mail, characters: text.length },
    )
    return { id, text }
  },
})
