import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

/** The call by which a program is tried against the API while it is written; in production there is no such call. It changes nothing. */
export const testCall = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ at: Date }> {
    if (ctx.settings.isProduction) throw notFound('This call', 'See /api/docs for all calls.')
    return { at: ctx.now() }
  },
})
