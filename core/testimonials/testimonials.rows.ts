import { defineTable, flag, id, instant, integer, text } from '../table.ts'

/** What publishers say of the product, as the landing page shows it. */
export const Testimonials = defineTable('testimonials', {
  id: id(),
  quote: text(),
  personName: text(),
  /** What the person is: "Publisher". */
  role: text(),
  company: text(),
  /** Its place on the page, from 1. */
  position: integer(),
  /** Nobody said it: it shows what the place looks like, is marked so, and never shown in production. */
  isExample: flag(),
  createdAt: instant(),
  updatedAt: instant(),
})
