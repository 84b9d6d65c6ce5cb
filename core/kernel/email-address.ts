import { z } from 'zod'
import { isEmailAddress, normalEmail } from './email.rules.ts'

/** An email address in a required field. */
export const EmailAddress = z
  .string('Required')
  .overwrite(normalEmail)
  .min(1, 'Required')
  .max(254, 'Must be 254 characters or fewer')
  .refine(isEmailAddress, 'Invalid email address')
