import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { BasedOn } from '../kernel/based-on.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { refundPolicyOf, saveRefundPolicy } from './refund-policies.rows.ts'
import { afterwardsChoices, defaultRefundPolicy, type RefundPolicy } from './refund-policy.rules.ts'

const publicationId = z.coerce.number('Must be a number').int()

/** The refund policy of one of the publisher's titles; `isSet` is false while the default applies. */
export const getRefundPolicy = useCase({
  permission: 'order:refund',
  input: z.object({ publicationId }),
  transaction: 'none',
  async run(ctx, input): Promise<RefundPolicy & { isSet: boolean }> {
    const { id } = await ownPublication(ctx, { id: input.publicationId })
    const ownPolicy = await refundPolicyOf(ctx, id)
    return { ...(ownPolicy ?? defaultRefundPolicy), isSet: ownPolicy !== null }
  },
})

const maxDays = 365
const daysMessage = `Enter a number of days from 0 to ${maxDays}`

/** Sets a title's refund policy, from now on. */
export const setRefundPolicy = useCase({
  permission: 'refund:policy',
  input: z.object({
    publicationId,
    wholeDays: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, daysMessage)
      .transform(Number)
      .pipe(z.number().max(maxDays, daysMessage)),
    afterwards: z.enum(
      Object.keys(afterwardsChoices) as [RefundPolicy['afterwards']],
      'Choose what is refunded after that',
    ),
    allowsMore: z.enum(['true', 'false'], 'Choose whether staff may refund more').transform((text) => text === 'true'),
    basedOn: BasedOn,
  }),
  async run(ctx, { publicationId, basedOn, ...policy }): Promise<void> {
    const { id, publisherId } = await ownPublication(ctx, { id: publicationId })
    await saveRefundPolicy(ctx, id, policy, basedOn)
    await recordAudit(ctx, 'set-refund-policy', { type: 'publication', id, publisherId }, policy)
  },
})
