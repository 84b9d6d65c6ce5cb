import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { optOuts } from '../readers/opt-outs.rules.ts'
import { setOptOuts } from '../readers/set-opt-outs.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { ownReaders } from './own-readers.query.ts'

type Field = (typeof optOuts)[number]['field']

/** Every flag is said: what is left out would change by silence. */
const OptOutChoices = z.object(
  Object.fromEntries(optOuts.map(({ field }) => [field, z.boolean('Required')])) as Record<Field, z.ZodBoolean>,
)

/** What the signed-in reader wants to hear of, and by which way: for all of their own subscriptions. */
export const changeOptOuts = useCase({
  permission: 'buyer',
  input: OptOutChoices,
  async run(ctx, chosen): Promise<{ fields: string[] }> {
    const buyer = await ownBuyer(ctx)
    const own = (await ownReaders(ctx, buyer)).filter(({ isGift }) => !isGift)
    const changed: string[] = []
    for (const { id: readerId } of own)
      changed.push(...((await setOptOuts(ctx, { readerId, publicationId: buyer.publicationId, chosen })) ?? []))
    if (own.length === 0) throw conflict('Your choices are kept with a subscription, and you have none yet.')
    const fields = [...new Set(changed)]
    await recordAudit(ctx, 'change-opt-outs', buyerSubject(buyer), { fields })
    return { fields }
  },
})
