import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { requiredText } from '../kernel/form-fields.ts'

/** The details of a person, as in every form that creates or changes a user. */
export const personFields = {
  firstName: requiredText(100),
  lastName: requiredText(100),
  email: EmailAddress,
}

/** A new password and its repetition as a form sends them; empty: no password. `newUserPasswordProblems` validates them. */
export const passwordFields = {
  /** The choice in the form; without it, a password is set if one was sent. */
  access: z.enum(['invitation', 'password']).optional(),
  password: z.string().optional(),
  password2: z.string().optional(),
}

/** How many titles a publisher may have. */
export const TitlesAllowed = z.coerce
  .number('Enter a whole number')
  .int('Enter a whole number')
  .min(1, 'Must be at least 1')
  .max(1000, 'Must be 1,000 or fewer')

/** The id of an optional record; a form sends an empty text if none is chosen. */
export const OptionalId = z.coerce
  .number('Must be an id')
  .int('Must be an id')
  .optional()
  .transform((id) => id || undefined)
