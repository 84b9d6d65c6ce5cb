import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { optOuts } from '../readers/opt-outs.rules.ts'
import { setOptOuts } from '../readers/set-opt-outs.ts'
import { stopReminders } from '../readers/stop-reminders.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { ownReaders, ownRemovedReaders } from './own-readers.query.ts'

type Field = (typeof optOuts)[number]['field']

/** Every flag is required: a missing one would otherwise be changed silently. */
const OptOutChoices = z
  .object(Object.fromEntries(optOuts.map(({ field }) => [field, z.boolean('Required')])) as Record<Field, z.ZodBoolean>)
  .extend({
    /** True stops renewal reminders; if it is not sent, they do not change. */
    reminders: z.boolean().optional(),
  })

/** Sets which messages the logged-in buyer does not want, by channel, for all of their own subscriptions, and removed ones in case they are restored. */
export const changeOptOuts = useCase({
  permission: 'buyer',
  input: OptOutChoices,
  async run(ctx, { reminders, ...chosen }): Promise<{ fields: string[] }> {
    const buyer = await ownBuyer(ctx)
    const removed = await ownRemovedReaders(ctx, buyer)
    const notGifts = (await ownReaders(ctx, buyer)).filter(({ isGift }) => !isGift)
    const changed: string[] = []
    for (const { id: readerId } of [...notGifts, ...removed]) {
      const reader = { readerId, publicationId: buyer.publicationId }
      changed.push(...((await setOptOuts(ctx, { ...reader, chosen })) ?? []))
      if (reminders !== undefined && (await stopReminders(ctx, reader, reminders))) changed.push('reminders')
    }
    if (notGifts.length === 0 && removed.length === 0)
      throw conflict('Your choices are saved with a subscription, and you do not have one yet.')
    const fields = [...new Set(changed)]
    await recordAudit(ctx, 'change-opt-outs', buyerSubject(buyer), { fields })
    return { fields }
  },
})
