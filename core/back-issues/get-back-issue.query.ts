import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type BackIssueListItem, listBackIssues } from './list-back-issues.query.ts'

/** One back issue of the acting publisher. */
export const getBackIssue = useCase({
  permission: 'back-issue:read',
  input: z.object({ id: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<BackIssueListItem> {
    const [issue] = await listBackIssues(ctx, { id })
    if (!issue) throw notFound('The back issue')
    return issue
  },
})
