import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { neededText } from '../kernel/form-fields.ts'

/** Who somebody is, as every form that makes or changes a user asks it. */
export const personFields = {
  firstName: neededText(100),
  lastName: neededText(100),
  email: EmailAddress,
}

/** A first password, or a second one, as a form sends it: empty is none. What is wrong with it is `givenPasswordProblems`. */
export const passwordFields = {
  /** The choice of the form; without it a password that is there is taken. */
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

/** A record that may be chosen; a form sends an empty text where none is. */
export const OptionalId = z.coerce
  .number('Choose from the list')
  .int('Choose from the list')
  .optional()
  .transform((id) => id || undefined)
