import type { AppLoadContext } from '@remix-run/node'
import { notFound } from '#core/kernel/errors.ts'
import type { DevMailbox } from '#core/ports/mailer.ts'

/** The emails stored locally. The page does not exist in production, or where emails go to a mail server. */
export function devMailboxOf({ services }: AppLoadContext): DevMailbox {
  const { devMailbox } = services.mail
  if (services.settings.isProduction || !devMailbox) throw notFound('The page')
  return devMailbox
}
