import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { passwordMatches } from '#core/access/passwords.ts'
import { listBackIssues } from '#core/back-issues/list-back-issues.query.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import { asJson } from '#core/database.ts'
import { listDebtors } from '#core/invoices/debtors.query.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'
import { getMonthCloses } from '#core/ledger/get-month-closes.query.ts'
import { closedMonthDifferences } from '#core/ledger/verify-closed-months.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { listPromos } from '#core/promos/list-promos.query.ts'
import { updatePromo } from '#core/promos/update-promo.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { updatePublication } from '#core/publications/update-publication.ts'
import { logIn } from '#core/users/log-in.ts'
import { vatReport } from '#core/vat/vat-report.query.ts'
import { countHealth } from '#core/warnings/count-health.ts'
import { countWarnings } from '#core/warnings/count-warnings.query.ts'
import { dataHealth } from '#core/warnings/data-health.query.ts'
import type { CountedKey } from '#core/warnings/warnings.rules.ts'
import { actorOf } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { demoAccounts, isEmpty, type SeedReport, seedDemo } from './seed-demo.ts'
import { demoUsers } from './seed-people.ts'

let services: TestServices
let secondServices: TestServices
let report: SeedReport
beforeAll(async () => {
  services = await openTestServices()
  secondServices = await openTestServices()
  report = await seedDemo(services)
  await seedDemo(secondServices)
})

async function count(sql: string): Promise<number> {
  const [row] = await services.db.query<{ n: number }>(sql)
  return Number(row?.n)
}

async function fingerprint({ db }: TestServices): Promise<string> {
  const rows = await db.query(`SELECT unique_reference, full_name, post_code, sub_end_on FROM readers ORDER BY id`)
  const orders = await db.query(`SELECT order_number, amount, ordered_on, email FROM orders ORDER BY id`)
  const views = await db.query(`SELECT viewed_on, visitor_hash, views FROM page_views ORDER BY id`)
  return createHash('sha256')
    .update(JSON.stringify([rows, orders, views]))
    .digest('hex')
}

describe('the demo', () => {
  it('is valid input: every publication, back issue and promo code passes its own form unchanged', async () => {
    const [publisher] = await secondServices.db.query<{ id: number }>(
      `SELECT id FROM users WHERE user_type = 'publisher'`,
    )
    const ctx = secondServices.as(await actorOf(secondServices, 'publisher', publisher?.id))
    for (const { id } of await listPublications(ctx, {})) {
      const { fields, sellsBackIssues } = await getPublicationFields(ctx, { id })
      await expect(updatePublication(ctx, { ...fields, sellsBackIssues, id })).resolves.toMatchObject({ id })
      for (const promo of (await listPromos(ctx, { publicationId: id })).promos) {
        const form: Record<string, unknown> = { ...promo }
        await expect(updatePromo(ctx, form)).resolves.toMatchObject({ code: promo.code })
      }
    }
    const issues = await listBackIssues(ctx, {})
    expect(issues.length).toBeGreaterThan(3)
    for (const issue of issues) {
      const amounts = Object.fromEntries(
        (['price', 'priceUs', 'priceEu', 'postage', 'postageUs', 'postageEu'] as const).map((name) => [
          name,
          issue[name] === null ? '' : formatMinorUnits(issue[name]),
        ]),
      )
      const form: Record<string, unknown> = { ...issue, ...amounts }
      await expect(updateBackIssue(ctx, form)).resolves.toMatchObject({ id: issue.id })
    }
  })

  it('has readers that the export of a publication, imported again, leaves unchanged', async () => {
    const { importInto, exported } = readerFiles(() => secondServices)
    const publications = await secondServices.db.query<{ url_key: string }>(`SELECT url_key FROM publications`)
    for (const { url_key: urlKey } of publications) {
      const csv = await exported({ urlKey })
      const preview = await importInto({ urlKey }, csv, 'combine', { dryRun: true })
      expect(preview, urlKey).toMatchObject({ added: 0, updated: 0, failed: 0, unchanged: preview.rows })
    }
  })

  it('has its stated size, in three publications and three currencies', async () => {
    expect(report.publications).toBe(3)
    expect(report.readers).toBeGreaterThan(4_800)
    expect(report.readers).toBeLessThan(5_300)
    expect(report.orders).toBeGreaterThan(1_800)
    expect(await count(`SELECT COUNT(*) AS n FROM readers`)).toBe(report.readers)
    expect(await count(`SELECT COUNT(*) AS n FROM orders`)).toBe(report.orders)
    expect(await count(`SELECT COUNT(DISTINCT currency) AS n FROM orders`)).toBe(3)
    expect(
      await count(`SELECT COUNT(DISTINCT SUBSTR(CAST(ordered_on AS VARCHAR(10)), 1, 7)) AS n FROM orders`),
    ).toBeGreaterThanOrEqual(24)
  })

  it('is deterministic', async () => {
    expect(await fingerprint(secondServices)).toBe(await fingerprint(services))
  })

  it('has the errors of real data', async () => {
    const expectSeveral = async (where: string) =>
      expect(await count(`SELECT COUNT(*) AS n FROM readers WHERE ${where}`)).toBeGreaterThan(5)
    await expectSeveral(`post_code_state = 'missing'`)
    await expectSeveral(`post_code_state = 'queried'`)
    await expectSeveral(`address_state = 'queried'`)
    await expectSeveral(`full_name = '' AND company_name = ''`)
    await expectSeveral(`full_name = '' AND company_name <> ''`)
    await expectSeveral(`sub_end_on = '2100-01-01' AND sub_type <> ''`)
    await expectSeveral(`sub_end_on < '2026-11-21'`)
    await expectSeveral(`sub_end_on BETWEEN '2026-11-21' AND '2026-12-21'`)
    await expectSeveral(`sub_paid IS NULL AND sub_type <> ''`)
    await expectSeveral(`is_deleted`)
    await expectSeveral(`city = 'BFPO'`)
    const duplicates = `SELECT 1 AS one FROM readers WHERE key_name <> '' GROUP BY publication_id, key_name, key_post_code HAVING COUNT(*) > 1`
    expect(await count(`SELECT COUNT(*) AS n FROM (${duplicates}) AS groups_of_two`)).toBeGreaterThan(20)
  })

  it('has for every order a payment, an item and a ledger entry of the same amount', async () => {
    const completeOrders = await count(
      `SELECT COUNT(*) AS n FROM orders o JOIN payments p ON p.order_id = o.id JOIN ledger_entries l ON l.order_id = o.id AND l.kind = 'sale'
       JOIN order_items i ON i.order_id = o.id JOIN buyers b ON b.id = o.buyer_id JOIN readers r ON r.id = o.reader_id
       WHERE o.state = 'paid' AND p.state IN ('paid', 'invoiced', 'written-off') AND o.amount = p.amount AND o.amount = l.amount AND o.amount = i.amount
         AND o.amount = o.product_price - o.discount AND o.currency = p.currency AND o.currency = l.currency
         AND l.entered_on = o.ordered_on AND (l.service_start_on = o.sub_start_on OR o.term_months IS NULL)
         AND b.publication_id = o.publication_id AND r.publication_id = o.publication_id`,
    )
    expect(completeOrders).toBe(report.orders)
  })

  it('sends gifts to somebody else in the country they were paid for', async () => {
    const gifts = await services.db.query<{ country: string; billing: unknown; shipping: unknown }>(
      `SELECT country, billing, shipping FROM orders WHERE is_gift`,
    )
    expect(gifts.length).toBeGreaterThan(10)
    for (const { country, billing, shipping } of gifts) {
      const shippingAddress = asJson<PostalAddress>(shipping)
      expect(shippingAddress.country).toBe(country)
      expect(shippingAddress.addressOne).not.toBe(asJson<PostalAddress>(billing).addressOne)
    }
  })

  it('gives each storefront reader the term of the last order', async () => {
    const wrongTerms = await count(
      `SELECT COUNT(*) AS n FROM readers r WHERE r.origin = 'storefront'
         AND r.sub_end_on <> (SELECT MAX(o.sub_end_on) FROM orders o WHERE o.reader_id = r.id)`,
    )
    expect(wrongTerms).toBe(0)
  })

  it('counts the uses of promo codes, and has one used up', async () => {
    expect(
      await count(
        `SELECT COUNT(*) AS n FROM promo_codes p WHERE p.used <> (SELECT COUNT(*) FROM orders o WHERE o.promo_code_id = p.id)`,
      ),
    ).toBe(0)
    expect(await count(`SELECT COUNT(*) AS n FROM promo_codes WHERE uses > 0 AND used = uses`)).toBe(1)
    expect(await count(`SELECT COUNT(*) AS n FROM promo_codes WHERE starts_on > '2026-11-21'`)).toBe(1)
  })

  it('has data for every part of the back office, and consistent books', async () => {
    const [publisher] = await services.db.query<{ id: number }>(`SELECT id FROM users WHERE user_type = 'publisher'`)
    const ctx = services.as(await actorOf(services, 'publisher', publisher?.id))
    const states = await services.db.query<{ state: string }>(
      `SELECT DISTINCT provider || ' ' || state AS state FROM payments ORDER BY 1`,
    )
    expect(states.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['bank-transfer paid', 'cheque paid', 'invoice invoiced', 'invoice paid']),
    )
    expect(await count(`SELECT COUNT(*) AS n FROM orders WHERE payment_type = 'Free' AND staff_note <> ''`)).toBe(1)
    expect(await count(`SELECT COUNT(*) AS n FROM refunds`)).toBe(2)
    expect(await count(`SELECT COUNT(*) AS n FROM disputes WHERE state = 'open'`)).toBe(1)
    const { rows, sums } = await listDebtors(ctx, {})
    expect(new Set(rows.map(({ age }) => age)).size).toBeGreaterThan(2)
    expect(sums.map(({ currency }) => currency)).toEqual(['GBP', 'EUR'])
    expect((await getMonthCloses(ctx, {})).months.filter(({ state }) => state === 'closed')).toHaveLength(2)
    expect(await closedMonthDifferences(ctx)).toEqual([])
    expect(await verifyLedger(ctx, {})).toMatchObject({ different: 0 })
    expect(await vatReport(ctx, {})).toMatchObject({ isSet: true, notSetCount: 0, boxes: { isComplete: true } })
    const vat = await vatReport(ctx, {})
    expect(vat.rows.map(({ scheme }) => scheme)).toEqual(expect.arrayContaining(['uk', 'eu-oss']))
  })

  it('has the data health of each week of a year, the last equal to a count of today, and changes since last week', async () => {
    const publications = await services.db.query<{ id: number; publisher: number }>(
      `SELECT id, publisher_id AS publisher FROM publications ORDER BY id`,
    )
    for (const { id, publisher } of publications) {
      const ctx = services.as(await actorOf(services, 'publisher', publisher))
      const { last, history, lastWeek } = await dataHealth(ctx, { publicationId: id })
      expect(history).toHaveLength(53)
      expect(new Set(history.map(({ score }) => score)).size).toBeGreaterThan(2)
      expect(last?.actions).toHaveLength(3)
      expect(last?.counts).toMatchObject(await countHealth(ctx, { publicationId: id }))
      const counts = await countWarnings(ctx, { publicationId: id })
      expect(Object.entries(lastWeek?.lists ?? {}).some(([list, n]) => counts[list as CountedKey] !== n)).toBe(true)
    }
  })

  it('sends nothing to anybody', async () => {
    expect(await count(`SELECT COUNT(*) AS n FROM jobs`)).toBe(0)
    expect(await count(`SELECT COUNT(*) AS n FROM emails`)).toBe(0)
  })

  it('lets every demo account log in, and shows where', async () => {
    for (const { email, userType } of demoUsers) {
      const loginPage = userType === 'superuser' ? 'super' : 'staff'
      await expect(logIn(services.as(visitor), { email, password: 'masthead', loginPage })).resolves.toMatchObject({
        userType,
      })
    }
    const [buyer] = await services.db.query<{ password_hash: string; url_key: string; orders: number }>(
      `SELECT b.password_hash, p.url_key, (SELECT COUNT(*) FROM orders o WHERE o.buyer_id = b.id) AS orders
       FROM buyers b JOIN publications p ON p.id = b.publication_id WHERE b.email_key = 'reader@demo.masthead.test'`,
    )
    expect(buyer?.url_key).toBe('harbour-light')
    expect(Number(buyer?.orders)).toBeGreaterThan(1)
    expect(await passwordMatches(buyer?.password_hash, 'masthead')).toBe(true)
    const text = await demoAccounts(services, { appUrl: 'http://localhost:3000' })
    expect(text).toContain('publisher@demo.masthead.test')
    expect(text).toContain('http://localhost:3000/slogin')
  })

  it('refuses a database that has users, and leaves it unchanged', async () => {
    expect(await isEmpty(services.db)).toBe(false)
    await expect(seedDemo(services)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await count(`SELECT COUNT(*) AS n FROM orders`)).toBe(report.orders)
  })
})
