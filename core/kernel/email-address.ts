import { z } from 'zod'
import { isEmailAddress, normalEmail } from './email.rules.ts'

/** An email by which an account or a reader is looked up. Any text is accepted: an invalid address is simply not found. */
export const emailToFind = (missing = 'Required') =>
  z.string(missing).overwrite(normalEmail).min(1, missing).max(254, 'Must be 254 characters or fewer')

/** An email address in a required field. */
export const EmailAddress = emailToFind().refine(isEmailAddress, 'Invalid email address')
