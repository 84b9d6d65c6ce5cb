import { defaulted, defineTable, id, instant, text } from '../table.ts'

/** What visitors wrote by the contact form. */
export const ContactRequests = defineTable('contact_requests', {
  id: id(),
  name: text(),
  email: text(),
  phone: defaulted(text()),
  message: text(),
  createdAt: instant(),
})
