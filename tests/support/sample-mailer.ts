import { join } from 'node:path'
import { makeMailer } from '#core/platform/mailer.ts'
import { projectRoot } from '#core/platform/project-root.ts'

/** What a mailer needs besides where its mails go. */
export const mailerBase = {
  templatesDir: join(projectRoot(), 'templates'),
  mailFrom: 'subscriptions@example.com',
  keepDir: '/nowhere',
  connections: 2,
  timeoutMs: 5_000,
  now: () => new Date(),
}

/** Draws mails; it is not asked to send any. */
export const sampleMailer = makeMailer({ ...mailerBase, mailUrl: undefined })
