import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'

/** The call for testing a program against the API during development; it does not exist in production. It changes nothing. */
export const testCall = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ at: Date }> {
    if (ctx.settings.isProduction) throw notFound('This call', 'See /api/docs for all calls.')
    return { at: ctx.now() }
  },
})
