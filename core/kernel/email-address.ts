import { z } from 'zod'

/** Anything with one @ and a dotted end: whether it is really somebody's shows when the first mail arrives. */
export const emailPattern = /^[^\s\p{Cc}@<>()",;:]+@[^\s\p{Cc}@<>()",;:]+\.[^\s\p{Cc}@<>()",;:]{2,}$/u

/** An e-mail address that a form cannot do without. */
export const EmailAddress = z
  .string('Required')
  .trim()
  .min(1, 'Required')
  .max(254, 'Must be 254 characters or fewer')
  .regex(emailPattern, 'Invalid email address')
