import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { lineText } from '../kernel/form-fields.ts'

const line = (max: number) =>
  z
    .string('Required')
    .trim()
    .min(1, 'Required')
    .max(max, `Must be ${max} characters or fewer`)
    .regex(/^[^\p{Cc}]*$/u, 'Must be a single line')

/** The contact form. Nothing in it says who is written to or in whose name. */
export const ContactRequestInput = z.object({
  name: line(200),
  email: EmailAddress,
  phone: lineText(40).default(''),
  message: z.string('Required').trim().min(1, 'Required').max(5000, 'Must be 5000 characters or fewer'),
  /** The solved captcha. */
  captcha: z
    .string('Please confirm that you are not a robot')
    .min(1, 'Please confirm that you are not a robot')
    .max(4000, 'Please confirm again that you are not a robot'),
})
