import { z } from 'zod'
import { CheckboxInput, lineText, requiredText, wholeNumber } from '../kernel/form-fields.ts'

export const testimonialFields = {
  quote: requiredText(400),
  personName: requiredText(100),
  role: lineText(100).default(''),
  company: lineText(100).default(''),
  position: wholeNumber(1, 99),
  isExample: CheckboxInput,
}

export const testimonialId = z.coerce.number('Required').int().positive('There is no such testimonial')
