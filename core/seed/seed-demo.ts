import { hashPassword } from '../access/passwords.ts'
import { logInPage, userTypeNames } from '../access/user-types.ts'
import type { Services } from '../context.ts'
import type { Database } from '../database.ts'
import { addDays, addMonths, dayOf } from '../kernel/calendar.ts'
import { conflict } from '../kernel/errors.ts'
import { rebuildStoredTotals } from '../ledger/verify-ledger.ts'
import { termState } from '../terms/term.rules.ts'
import { demoPublications } from './demo-publications.ts'
import { type DemoReader, makeImportedReaders, readerOf } from './make-readers.ts'
import { type Customer, makeSales, type Sale } from './make-sales.ts'
import { makeRandom } from './random.ts'
import { seedBackOffice } from './seed-back-office.ts'
import { seedDataHealth } from './seed-data-health.ts'
import { seedOrders } from './seed-orders.ts'
import { seedPageViews } from './seed-page-views.ts'
import { demoBuyerEmail, demoPassword, demoUsers, seedPeople } from './seed-people.ts'
import { type SeededPublication, seedPublication } from './seed-publications.ts'
import { seedReaders } from './seed-readers.ts'
import { seedTestimonials } from './seed-testimonials.ts'
import { type StaffSales, takeByStaff } from './staff-sales.ts'

export interface SeedReport {
  publications: number
  readers: number
  orders: number
  pageViews: number
}

/** Whether there are no accounts yet: the demo is created only in an empty database. */
export async function isEmpty(db: Database): Promise<boolean> {
  const users = await db.query(`SELECT id FROM users LIMIT 1`)
  return users.length === 0
}

/**
 * Fills an empty database with a publisher, three magazines, their readers, two years of sales, ending yesterday, and what staff did with them. All
 * or nothing, and always the same except for its dates, which depend on the day it is created.
 */
export async function seedDemo(
  services: Services,
  { onProgress }: { onProgress?: (text: string) => void } = {},
): Promise<SeedReport> {
  const { db, settings } = services
  const passwordHash = await hashPassword(demoPassword)
  const report = await db.transaction(async () => {
    if (!(await isEmpty(db))) {
      throw conflict('The demo can be created only in an empty database, and this one has users', {
        hint: 'Point DATABASE_URL or DATA_DIR at a new one.',
      })
    }
    const today = dayOf(services.now(), settings.timeZone)
    const since = new Date(`${addMonths(today, -25)}T09:00:00Z`)
    const publisherId = await seedPeople(services, passwordHash, since)
    const publications = new Map<string, SeededPublication>()
    const readerIds = new Map<Customer, number>()
    const sales: Sale[] = []
    let staffSales: StaffSales | undefined
    const numbers = new Set<string>()
    const counts = { publications: 0, readers: 0, pageViews: 0 }
    for (const [index, publication] of demoPublications.entries()) {
      const random = makeRandom(1_871 + index * 1_000)
      const seeded = await seedPublication(services, publisherId, publication, { today, since })
      publications.set(publication.urlKey, seeded)
      const publicationSales = makeSales(random, publication, addDays(today, -1), numbers)
      if (index === 0) {
        assignDemoBuyer(publicationSales, today)
        staffSales = takeByStaff(publicationSales, today)
      }
      makeEmailsUnique(publicationSales)
      const readers = [...makeImportedReaders(random, publication, today), ...readersOf(publicationSales)]
      for (const [customer, id] of await seedReaders(services, seeded, readers)) readerIds.set(customer, id)
      counts.pageViews += await seedPageViews(db, random, seeded, today)
      counts.publications += 1
      counts.readers += readers.length
      sales.push(...publicationSales)
      onProgress?.(`${publication.name}: ${readers.length} readers, ${publicationSales.length} orders`)
    }
    sales.sort((a, b) => (a.on === b.on ? a.second - b.second : a.on < b.on ? -1 : 1))
    await seedOrders(services, { publisherId, publications, readerIds, passwordHash }, sales)
    await rebuildStoredTotals(services, publisherId)
    await seedTestimonials(services)
    if (staffSales) await seedBackOffice(services, { publisherId, sales: staffSales, today })
    for (const { id } of publications.values()) await seedDataHealth(db, id, today)
    return { ...counts, orders: sales.length }
  })
  // Otherwise PostgreSQL would plan the first queries as if the tables were empty.
  if (db.dialect === 'postgres') await db.run('ANALYZE')
  return report
}

/** One reader record for each customer, in the state after their last order. */
function readersOf(sales: readonly Sale[]): DemoReader[] {
  const byCustomer = new Map<Customer, Sale[]>()
  for (const sale of sales) byCustomer.set(sale.customer, [...(byCustomer.get(sale.customer) ?? []), sale])
  return [...byCustomer].map(([customer, customerSales]) => readerOf(customer, customerSales))
}

/** Gives the demo buyer's email to a customer with a history: a British one who has renewed and whose subscription still runs. */
function assignDemoBuyer(sales: readonly Sale[], today: string): void {
  const renewal = sales.find(
    ({ customer, isRenewal, isRecurring, product }) =>
      isRenewal &&
      !isRecurring &&
      product === 'bundle' &&
      customer.buyer.country === 'GB' &&
      !customer.isGift &&
      termState(customer, today) === 'current',
  )
  if (renewal) Object.assign(renewal.customer.buyer, { email: demoBuyerEmail })
}

/** Gives each customer a different email: emails are unique at a storefront. */
function makeEmailsUnique(sales: readonly Sale[]): void {
  const owners = new Map<string, Customer>()
  for (const { customer } of sales) {
    const { buyer } = customer
    for (let n = 2; (owners.get(buyer.email) ?? customer) !== customer; n++)
      buyer.email = buyer.email.replace(/\d*@/, `${n}@`)
    owners.set(buyer.email, customer)
  }
}

/** The demo's accounts with where to log in, as text for a terminal; empty if the demo was not created. */
export async function demoAccounts({ db }: Pick<Services, 'db'>, { appUrl }: { appUrl: string }): Promise<string> {
  const users = await db.query<{ email: string }>(`SELECT email FROM users WHERE email_key IN (:emails)`, {
    emails: demoUsers.map(({ email }) => email),
  })
  const accounts = demoUsers.filter(({ email }) => users.some((user) => user.email === email))
  if (accounts.length === 0) return ''
  const lines = accounts.map(
    ({ email, userType }) =>
      `  ${email.padEnd(32)} ${userTypeNames[userType].padEnd(26)} ${appUrl}${logInPage(userType)}`,
  )
  return [
    `Demo accounts, all with the password "${demoPassword}":`,
    ...lines,
    `  ${demoBuyerEmail.padEnd(32)} ${'Storefront buyer'.padEnd(26)} ${appUrl}/${demoPublications[0]?.urlKey}`,
  ].join('\n')
}
