import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import { setPaused } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { Accounts, lockAccount } from '../users/accounts.rows.ts'
import { countedTitles } from './counted-titles.query.ts'
import { ownPlanAccount } from './own-plan.ts'
import { ChooseTitlesInput } from './plan.input.ts'

/** Sets which titles are on sale; the others are paused (`isPaused`). At most as many as the plan includes, also when two tabs save concurrently. */
export const chooseTitles = useCase({
  permission: 'plan:write',
  input: ChooseTitlesInput,
  async run(ctx, { onSale }): Promise<{ paused: number; resumed: number }> {
    const { userId } = await ownPlanAccount(ctx)
    await lockAccount(ctx, userId)
    const allowed = (await Accounts.find(ctx, { userId }))?.numberOfPublications ?? 0
    const titles = await countedTitles(ctx, userId)
    const chosen = titles.filter(({ id }) => onSale.includes(id))
    if (chosen.length > allowed)
      throw invalid({ onSale: `Your plan includes ${countOf(allowed, 'title')}: choose no more than that` })
    const resume = chosen.filter(({ isPaused }) => isPaused).map(({ id }) => id)
    const pause = titles.filter(({ id, isPaused }) => !isPaused && !onSale.includes(id)).map(({ id }) => id)
    await setPaused(ctx, userId, pause, true)
    await setPaused(ctx, userId, resume, false)
    const changed = { paused: pause.length, resumed: resume.length }
    if (pause.length + resume.length > 0)
      await recordAudit(ctx, 'choose-titles', { type: 'user', id: userId, publisherId: userId }, changed)
    return changed
  },
})
