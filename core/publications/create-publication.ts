import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../database.ts'
import { checkImages } from '../images/check-images.ts'
import { denied, type FieldErrors, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { handleMessages } from './handle.rules.ts'
import { columnsIn, PublicationFields, pricesIn } from './publication.input.ts'
import { writePrices } from './publication-prices.rows.ts'
import { Publications } from './publications.rows.ts'
import { takeTitle } from './title-quota.ts'

/** Adds a publication to the acting publisher, with its prices: it is on sale immediately. The operator names the publisher. */
export const createPublication = useCase({
  permission: 'publication:write',
  input: PublicationFields.extend({ publisherId: z.number().int().optional() }),
  alsoCheck: takenHandle,
  async run(ctx, fields): Promise<{ id: number; urlKey: string }> {
    const publisherId = ctx.actor.kind === 'staff' ? actingPublisherId(ctx.actor) : (fields.publisherId ?? null)
    if (publisherId === null)
      throw ctx.actor.kind === 'staff' ? denied() : invalid({ publisherId: 'Specify the publisher' })
    await takeTitle(ctx, publisherId)
    await checkImages(ctx, publisherId, fields)
    const id = await reportTakenHandle(() =>
      Publications.insert(ctx, { ...columnsIn(fields), publisherId, urlKeyLower: fields.urlKey.toLowerCase() }),
    )
    const prices = pricesIn(fields)
    await writePrices(ctx, id, prices)
    await recordAudit(ctx, 'add-publication', { type: 'publication', id, publisherId }, { prices: prices.length })
    return { id, urlKey: fields.urlKey }
  },
})

async function takenHandle(ctx: AppContext, { urlKey }: Record<string, unknown>): Promise<FieldErrors> {
  if (typeof urlKey !== 'string') return {}
  const existing = await Publications.find(ctx, { urlKeyLower: urlKey.trim().toLowerCase() })
  return existing ? { urlKey: handleMessages.taken } : {}
}

/** Reports the database's refusal of a duplicate as a form error: the handle may be taken between the check and the write. */
async function reportTakenHandle<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid({ urlKey: handleMessages.taken })
    throw error
  }
}
