import { z } from 'zod'
import { lineText, neededText, Tick, wholeNumber } from '../kernel/form-fields.ts'

export const testimonialFields = {
  quote: neededText(400),
  personName: neededText(100),
  role: lineText(100).default(''),
  company: lineText(100).default(''),
  position: wholeNumber(1, 99),
  isExample: Tick,
}

export const testimonialId = z.coerce.number('Required').int().positive('There is no such testimonial')
