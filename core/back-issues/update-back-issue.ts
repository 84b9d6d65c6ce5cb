import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { checkImages } from '../images/check-images.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { optionalWholeNumber } from '../kernel/form-fields.ts'
import { countOf } from '../kernel/text-format.ts'
import { changedValues } from '../table.ts'
import { useCase } from '../use-case.ts'
import { backIssueChanges } from './back-issue.input.ts'
import { BackIssues } from './back-issues.rows.ts'
import { ownBackIssue } from './own-back-issue.ts'

/**
 * Changes a back issue of the acting publisher. It stays with its publication; orders keep the price they were placed at. Copies may be sold while
 * the form is open. `stockBefore` is the stock that the form showed first: if the user left it unchanged, the current stock is kept; if the user
 * changed it and copies were sold meanwhile, the change is refused.
 */
export const updateBackIssue = useCase({
  permission: 'back-issue:write',
  input: z.object({
    id: z.coerce.number('Required').int(),
    /** Passed by callers that know it: a back issue never moves to another publication. */
    publicationId: z.coerce.number('Must be a number').int().optional(),
    ...backIssueChanges,
    stockBefore: optionalWholeNumber(0, 1_000_000).optional(),
    basedOn: BasedOn,
  }),
  async run(ctx, { id, publicationId, basedOn, stockBefore, coverImage, stock, ...fields }): Promise<{ id: number }> {
    const { issue: found } = await ownBackIssue(ctx, id)
    if (publicationId !== undefined && publicationId !== found.publicationId)
      throw invalid({ publicationId: 'A back issue stays with its publication. Add it to the other one instead.' })
    // Locks the row: sales of this issue wait for this transaction, so the values read below are still current when they are overwritten.
    await BackIssues.update(ctx, { id }, {})
    const { issue, publisherId } = await ownBackIssue(ctx, id)
    refuseOutdated(basedOn, issue, { ...fields, coverImage })
    if (coverImage !== undefined) await checkImages(ctx, publisherId, { coverImage }, issue)
    const isUntouched = stockBefore !== undefined && stock === stockBefore
    if (!isUntouched && stockBefore !== undefined && issue.stock !== stockBefore) throw stockChanged(issue.stock)
    const changes = changedValues(issue, {
      ...fields,
      ...(coverImage !== undefined && { coverImage }),
      ...(!isUntouched && { stock }),
    })
    await BackIssues.update(ctx, { id }, changes)
    await recordAudit(
      ctx,
      'update-back-issue',
      { type: 'back-issue', id, publisherId },
      { fields: Object.keys(changes) },
    )
    return { id }
  },
})

function stockChanged(stock: number | null) {
  const stockText = stock === null ? 'unlimited' : countOf(stock, 'copy', 'copies')
  return conflict('The stock has changed while this page was open.', {
    fields: { stock: `It is now ${stockText}. Please check it and save again.` },
  })
}
