import { defineTable, id, instant, json, nullable, ref, text } from '../table.ts'
import type { MailingLayout } from './layout.rules.ts'

export const MailingLayouts = defineTable('mailing_layouts', {
  id: id(),
  publisherId: ref(),
  /** Null: for every publication of the publisher. */
  publicationId: nullable(ref()),
  name: text(),
  /** Lower case: unique within a publisher. */
  nameKey: text(),
  layout: json<MailingLayout>(),
  createdAt: instant(),
  updatedAt: instant(),
})
