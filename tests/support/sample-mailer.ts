import { join } from 'node:path'
import { makeMailer } from '#core/platform/mailer.ts'
import { projectRoot } from '#core/platform/project-root.ts'

/** The dependencies of a mailer except its transport. */
export const mailerBase = {
  templatesDir: join(projectRoot(), 'templates'),
  mailFrom: 'subscriptions@example.com',
  keepDir: '/nowhere',
  connections: 2,
  timeoutMs: 5_000,
  now: () => new Date(),
}

/** Renders emails without sending any. */
export const sampleMailer = makeMailer({ ...mailerBase, mailUrl: undefined })
