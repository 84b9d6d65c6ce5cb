import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { linesText, lineText } from '../kernel/form-fields.ts'

const line = (max: number) =>
  z
    .string('Required')
    .trim()
    .min(1, 'Required')
    .max(max, `Must be ${max} characters or fewer`)
    .regex(/^[^\p{Cc}]*$/u, 'Must be a single line')

const requestFields = {
  name: line(200),
  email: EmailAddress,
  phone: lineText(40).default(''),
  message: linesText(5000).min(1, 'Required'),
}

/** The contact form. It has no field for the recipient or the sender name. */
export const ContactRequestInput = z.object({
  ...requestFields,
  /** The solved captcha. */
  captcha: z
    .string('Please confirm that you are not a robot')
    .min(1, 'Please confirm that you are not a robot')
    .max(4000, 'Please confirm again that you are not a robot'),
})

/** The contact form in a browser without JavaScript: a text question replaces the captcha. */
export const PlainContactRequestInput = z.object({
  ...requestFields,
  token: z.string('Please answer the question').max(400, 'Please answer the question'),
  answer: z
    .string('Please answer the question')
    .trim()
    .min(1, 'Please answer the question')
    .max(40, 'Must be 40 characters or fewer'),
})
