import { recordAudit } from '../audit/record-audit.ts'
import { countOf } from '../kernel/counted.ts'
import { invalid } from '../kernel/errors.ts'
import { setResting } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { Accounts, lockAccount } from '../users/accounts.rows.ts'
import { ownPlanAccount } from './own-plan.ts'
import { ChooseTitlesInput } from './plan.input.ts'
import { plannedTitles } from './planned-titles.query.ts'

/** Sets which titles are on sale; the others are paused (`isResting`). At most as many as the plan includes, also when two tabs save concurrently. */
export const chooseTitles = useCase({
  permission: 'plan:write',
  input: ChooseTitlesInput,
  async run(ctx, { onSale }): Promise<{ rested: number; woken: number }> {
    const { userId } = await ownPlanAccount(ctx)
    await lockAccount(ctx, userId)
    const allowed = (await Accounts.find(ctx, { userId }))?.numberOfPublications ?? 0
    const titles = await plannedTitles(ctx, userId)
    const chosen = titles.filter(({ id }) => onSale.includes(id))
    if (chosen.length > allowed)
      throw invalid({ onSale: `Your plan includes ${countOf(allowed, 'title')}: choose no more than that` })
    const wake = chosen.filter(({ isResting }) => isResting).map(({ id }) => id)
    const rest = titles.filter(({ id, isResting }) => !isResting && !onSale.includes(id)).map(({ id }) => id)
    await setResting(ctx, userId, rest, true)
    await setResting(ctx, userId, wake, false)
    const changed = { rested: rest.length, woken: wake.length }
    if (rest.length + wake.length > 0)
      await recordAudit(ctx, 'choose-titles', { type: 'user', id: userId, publisherId: userId }, changed)
    return changed
  },
})
