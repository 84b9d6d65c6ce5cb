import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { useCase } from '../use-case.ts'
import { Testimonials } from './testimonials.rows.ts'

const listed = Testimonials.pick('id', 'quote', 'personName', 'role', 'company', 'position', 'isExample')
export type Testimonial = Awaited<ReturnType<typeof listed.rows>>[number]

/** The number of testimonials on the landing page. */
export const visibleTestimonialCount = 4

/** The testimonials on the landing page: the first four by position, in production only real ones. */
export const visibleTestimonials = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<Testimonial[]> {
    const all = await inOrder(ctx)
    return all.filter(({ isExample }) => !(isExample && ctx.settings.isProduction)).slice(0, visibleTestimonialCount)
  },
})

/** All testimonials, for editing. */
export const listTestimonials = useCase({
  permission: 'testimonial:write',
  input: z.object({}),
  transaction: 'none',
  run: (ctx): Promise<Testimonial[]> => inOrder(ctx),
})

function inOrder(ctx: AppContext): Promise<Testimonial[]> {
  return listed.rows(ctx, `SELECT ${listed.columns()} FROM testimonials ORDER BY position, id LIMIT 100`, {})
}
