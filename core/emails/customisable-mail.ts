import { z } from 'zod'
import { AppError } from '../kernel/errors.ts'
import { linesText, lineText } from '../kernel/form-fields.ts'
import { languages } from '../kernel/languages.ts'
import { placeholderProblems } from '../kernel/placeholders.rules.ts'
import { quoted } from '../kernel/text-format.ts'
import { emails } from './emails.ts'
import type { Mail } from './mail.ts'

/** The emails whose subject and text a publisher can customise, in the order of the table. */
export const customisableEmails: readonly { name: string; mail: CustomisableMail }[] = Object.entries(
  emails as Record<string, Mail>,
).flatMap(([name, mail]) => (mail.custom ? [{ name, mail: mail as CustomisableMail }] : []))

type CustomisableMail = Mail & { custom: NonNullable<Mail['custom']> }

/** The email of this name; throws `notFound` where publishers cannot customise it. */
export function customisableMail(name: string): CustomisableMail {
  const entry = customisableEmails.find((candidate) => candidate.name === name)
  if (!entry) throw new AppError('notFound', `There is no customisable email ${quoted(name)}`)
  return entry.mail
}

/** Identifies a publication's text for an email: in one language, or ('') in all languages that have no separate text. */
export const MailTextKey = z.object({
  publicationId: z.coerce.number('Required').int(),
  mail: z.string(),
  language: z.enum([...languages, ''], `Must be one of ${languages.join(', ')}, or blank`).default(''),
})

/** The texts as they are typed; blank is the email's standard one. */
export const TypedText = z.object({ subject: lineText(200).default(''), body: linesText(20_000) })

/** What is wrong with the placeholders of a typed text, by field. */
export function textProblems(mail: CustomisableMail, typed: z.infer<typeof TypedText>): Record<string, string> {
  return placeholderProblems(typed, mail.custom.placeholders)
}
