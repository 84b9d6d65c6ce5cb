import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { testimonialFields, testimonialId } from './testimonial.input.ts'
import { Testimonials } from './testimonials.rows.ts'

/** Adds a testimonial to the landing page. */
export const addTestimonial = useCase({
  permission: 'testimonial:write',
  input: z.object(testimonialFields),
  async run(ctx, fields): Promise<{ id: number }> {
    const id = await Testimonials.insert(ctx, fields)
    await recordAudit(ctx, 'add-testimonial', { type: 'testimonial', id })
    return { id }
  },
})

export const updateTestimonial = useCase({
  permission: 'testimonial:write',
  input: z.object({ id: testimonialId, ...testimonialFields, basedOn: BasedOn }),
  async run(ctx, { id, basedOn, ...fields }): Promise<{ id: number }> {
    const stored = await Testimonials.find(ctx, { id }, { isLocked: true })
    if (!stored) throw notFound('The testimonial')
    refuseOutdated(basedOn, stored, fields)
    await Testimonials.update(ctx, { id }, fields)
    await recordAudit(ctx, 'update-testimonial', { type: 'testimonial', id })
    return { id }
  },
})

export const removeTestimonial = useCase({
  permission: 'testimonial:write',
  input: z.object({ id: testimonialId }),
  async run(ctx, { id }): Promise<{ id: number }> {
    if ((await Testimonials.remove(ctx, { id })) === 0) throw notFound('The testimonial')
    await recordAudit(ctx, 'remove-testimonial', { type: 'testimonial', id })
    return { id }
  },
})
