import type { AppLoadContext } from '@remix-run/node'
import { notFound } from '#core/kernel/errors.ts'
import type { DevMailbox } from '#core/ports/mailer.ts'

/** The mails kept on this machine. In production, or where a mail server takes them, there is no such page. */
export function devMailboxOf({ services }: AppLoadContext): DevMailbox {
  const { devMailbox } = services.mail
  if (services.settings.isProduction || !devMailbox) throw notFound('The page')
  return devMailbox
}
