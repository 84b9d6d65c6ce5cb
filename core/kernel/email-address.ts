import { z } from 'zod'
import { emailPattern } from './email-pattern.ts'

/** An email address that a form cannot do without. */
export const EmailAddress = z
  .string('Required')
  .trim()
  .min(1, 'Required')
  .max(254, 'Must be 254 characters or fewer')
  .regex(emailPattern, 'Invalid email address')
