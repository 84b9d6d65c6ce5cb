import { defineTable, flag, id, instant, integer, text } from '../table.ts'

/** Quotes of publishers about the product, as the landing page shows it. */
export const Testimonials = defineTable('testimonials', {
  id: id(),
  quote: text(),
  personName: text(),
  /** The person's role: "Publisher". */
  role: text(),
  company: text(),
  /** Its position on the page, from 1. */
  position: integer(),
  /** An invented example: it shows what that part of the page looks like, is marked as one, and is never shown in production. */
  isExample: flag(),
  createdAt: instant(),
  updatedAt: instant(),
})
