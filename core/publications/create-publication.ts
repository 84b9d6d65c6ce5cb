import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { checkPictures } from '../images/own-image.ts'
import { denied, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { handleMessages } from './handle.rules.ts'
import { columnsIn, PublicationFields, pricesIn } from './publication.input.ts'
import { Publications } from './publication.model.ts'
import { takeTitle } from './title-quota.ts'
import { writePrices } from './write-prices.ts'

/** Adds a publication to the acting publisher, with its prices: it is on sale from this moment. The operator names the publisher. */
export const createPublication = useCase({
  permission: 'publication:write',
  input: PublicationFields.extend({ publisherId: z.number().int().optional() }),
  async run(ctx, fields): Promise<{ id: number; urlKey: string }> {
    const publisherId = ctx.actor.kind === 'staff' ? actingPublisherId(ctx.actor) : (fields.publisherId ?? null)
    if (publisherId === null)
      throw ctx.actor.kind === 'staff' ? denied() : invalid({ publisherId: 'Name the publisher' })
    await takeTitle(ctx, publisherId)
    await refuseTaken(ctx, fields.urlKey)
    await checkPictures(ctx, publisherId, fields)
    const publication = await orTaken(() =>
      Publications(ctx).create({ ...columnsIn(fields), publisherId, urlKeyLower: fields.urlKey.toLowerCase() }),
    )
    const prices = pricesIn(fields)
    await writePrices(ctx, publication.id, prices)
    await recordAudit(
      ctx,
      'add-publication',
      { type: 'publication', id: publication.id, publisherId },
      { prices: prices.length },
    )
    return { id: publication.id, urlKey: fields.urlKey }
  },
})

async function refuseTaken(ctx: AppContext, urlKey: string): Promise<void> {
  const isTaken = await Publications(ctx).count({ where: { urlKeyLower: urlKey.toLowerCase() } })
  if (isTaken > 0) throw invalid({ urlKey: handleMessages.taken })
}

/** Somebody else may take the handle between the look and the write. */
async function orTaken<Done>(write: () => Promise<Done>): Promise<Done> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof Error && error.name === 'SequelizeUniqueConstraintError')
      throw invalid({ urlKey: handleMessages.taken })
    throw error
  }
}
