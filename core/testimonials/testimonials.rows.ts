import { defineTable, flag, id, instant, integer, text } from '../table.ts'

/** Quotes of publishers about the product, as the landing page shows it. */
export const Testimonials = defineTable('testimonials', {
  id: id(),
  quote: text(),
  personName: text(),
  /** The person's role: "Publisher". */
  role: text(),
  company: text(),
  /** Its place on the page, from 1. */
  position: integer(),
  /** An invented example: it shows what the place looks like, is marked so, and never shown in production. */
  isExample: flag(),
  createdAt: instant(),
  updatedAt: instant(),
})
