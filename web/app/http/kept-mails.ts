import type { AppLoadContext } from '@remix-run/node'
import type { KeptMails } from '#core/emails/mailer.ts'
import { notFound } from '#core/kernel/errors.ts'

/** The mails kept on this machine. In production, or where a mail server takes them, there is no such page. */
export function keptMailsOf({ services }: AppLoadContext): KeptMails {
  const { kept } = services.mail
  if (services.settings.isProduction || !kept) throw notFound('The page')
  return kept
}
