import type { Services } from '../context.ts'
import { insertRows } from './insert-rows.ts'

/** Invented quotes: they show what that part of the landing page looks like, and are marked as examples there. */
const examples = [
  {
    quote:
      'We used to spend the Monday before press day on the label file. Now the mailing house fetches it, and we go to lunch.',
    person_name: 'Imogen Tallis',
    role: 'Publisher',
    company: 'Fell & Field Quarterly',
  },
  {
    quote:
      'Eleven thousand readers came over from four spreadsheets in one afternoon, and it told us about each row it did not like.',
    person_name: 'Rhodri Vaughan',
    role: 'Circulation manager',
    company: 'Narrow Gauge Monthly',
  },
  {
    quote:
      'The accountant asked what we still owe in unserved issues. For the first time I had the figure before the coffee was cold.',
    person_name: 'Beatrix Odling',
    role: 'Finance director',
    company: 'Hollin Press',
  },
  {
    quote: 'Readers change their own address. The phone is quiet, and fewer copies come back.',
    person_name: 'Samir Khatri',
    role: 'Subscriptions desk',
    company: 'The Allotment Review',
  },
]

export async function seedTestimonials({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const rows = examples.map((example, index) => ({
    ...example,
    position: index + 1,
    is_example: true,
    created_at: now(),
    updated_at: now(),
  }))
  await insertRows(db, 'testimonials', rows)
}
