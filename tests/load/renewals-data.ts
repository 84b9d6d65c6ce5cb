import type { Database } from '#core/database.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import type { Running } from '#core/platform/make-services.ts'

/** The publisher, readers and agreements that renewals are measured on, inserted with SQL; all their ids begin at 1,000,000. */

export const today = dayOf(new Date(), 'Europe/London')

/** Where the SQL that fills the tables differs between the two engines. */
export function dialectSql({ dialect }: Pick<Database, 'dialect'>) {
  const isPostgres = dialect === 'postgres'
  return {
    numbers: (count: number) =>
      isPostgres
        ? `generate_series(1, ${count}) AS s (n)`
        : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s) s`,
    day: (from: string, days: string) =>
      isPostgres ? `(CAST(${from} AS DATE) + CAST(${days} AS INTEGER))` : `date(${from}, (${days}) || ' days')`,
    flag: (value: boolean) => (isPostgres ? String(value).toUpperCase() : String(Number(value))),
  }
}

/** Updates the planner's statistics, as the server would: of every table, or of those that planning writes. Outside of any transaction. */
export async function analyse(db: Database, which: 'all' | 'planned' = 'planned'): Promise<void> {
  const verb = db.dialect === 'postgres' ? 'VACUUM ANALYZE' : 'ANALYZE'
  for (const table of which === 'all' ? [''] : ['payment_agreements', 'renewals', 'jobs'])
    await db.sequelize.query(`${verb} ${table}`)
}

const now = `'2026-01-01 09:00:00.000 +00:00'`
export const publisherEmail = 'bench@example.test'

/** A publisher with three titles, readers, and agreements of some of them, as many on each day of the year, with one past renewal each. */
export async function fill(
  { db }: Running,
  { readers, agreements }: { readers: number; agreements: number },
): Promise<void> {
  const each = Math.floor(readers / agreements)
  const { numbers, day, flag } = dialectSql(db)
  const offers = ['pub', 'partner'].flatMap((whose) =>
    ['', '_post', '_tel', '_sms'].map((by) => `${whose}_offers${by}`),
  )
  const months = 'CASE n % 10 WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 6 WHEN 3 THEN 6 ELSE 12 END'
  await db.transaction(async () => {
    const [user] = await db.query<{
      id: number
    }>(`INSERT INTO users (user_type, email, email_key, created_at, updated_at)
      VALUES ('publisher', '${publisherEmail}', '${publisherEmail}', ${now}, ${now}) RETURNING id`)
    const publisher = user?.id
    await db.run(
      `INSERT INTO accounts (user_id, country, created_at, updated_at) VALUES (${publisher}, 'GB', ${now}, ${now})`,
    )
    for (const name of ['one', 'two', 'three'])
      await db.run(`INSERT INTO publications (publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
        VALUES (${publisher}, 'Title ${name}', 'bench-${name}', 'bench-${name}', ${now}, ${now})`)
    const title = `(SELECT MIN(id) FROM publications WHERE publisher_id = ${publisher}) + n % 3`
    const renewsOn = day(`'${today}'`, '(n % 365)')
    // Readers with an agreement have not paid beyond it, whatever its day is.
    const endOn = `CASE WHEN n % ${each} = 0 THEN ${day(`'${today}'`, '-60')} ELSE ${renewsOn} END`
    await db.run(`INSERT INTO readers (id, publication_id, unique_reference, title, first_name, last_name, full_name, email, address_one, city, post_code,
        country, ${offers.join(', ')}, sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, key_name, key_surname,
        key_post_code, key_address, key_email, key_company, mail_sort, post_code_state, address_state, origin, is_deleted, created_at, updated_at)
      SELECT 1000000 + n, ${title}, 'R' || n, 'Mr', 'Ann', 'Adams' || n % 9973, 'Ann Adams' || n % 9973, 'r' || n || '@example.test', '1 Quay Street',
        'Whitby', 'YO21 ' || n % 997, CASE n % 20 WHEN 0 THEN 'FR' WHEN 1 THEN 'US' WHEN 2 THEN '' ELSE 'GB' END,
        ${offers.map(() => flag(true)).join(', ')}, ${day(renewsOn, '-365')}, ${endOn}, ${endOn}, 'print', 2500, 'GBP', 'annadams' || n % 9973,
        'adams' || n % 9973, 'YO21' || n % 997, '1quaystreet', 'r' || n || '@example.test', '', 'YO21' || n % 997, 'ok', 'ok', 'file', ${flag(false)},
        ${now}, ${now}
      FROM ${numbers(readers)}`)
    // Every row of an agreement has its number, by which its reader is found.
    const readerOf = (id: string) => `1000000 + (${id} - 1000000) * ${each}`
    await db.run(`INSERT INTO buyers (id, publication_id, email, email_key, first_name, last_name, created_at, updated_at)
      SELECT 1000000 + n, publication_id, email, email, first_name, last_name, ${now}, ${now}
      FROM ${numbers(agreements)} JOIN readers r ON r.id = 1000000 + n * ${each}`)
    await db.run(`INSERT INTO orders (id, publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product,
        product_name, term_months, is_recurring, band, country, currency, product_price, amount, payment_type, sub_start_on, sub_end_on, buyer_id,
        reader_id, first_name, last_name, email, billing, created_at, updated_at)
      SELECT b.id, ${publisher}, b.publication_id, 'OD-' || b.id, 'paid', 'subscription', 'bench-' || b.id, ${now}, r.sub_start_on, 'print', 'Print', 12,
        ${flag(true)}, 'UK', 'GB', 'GBP', 2500, 2500, 'Card', r.sub_start_on, r.sub_end_on, b.id, r.id, 'Ann', 'Adams', b.email, '{}', ${now}, ${now}
      FROM buyers b JOIN readers r ON r.id = ${readerOf('b.id')} WHERE b.id > 1000000`)
    await db.run(`INSERT INTO payment_agreements (id, publication_id, buyer_id, reader_id, order_id, provider, customer_reference, method_reference,
        state, product, term_months, band, renews_on, price, currency, consent_text, contract_on, last_four, expires_on, created_at, updated_at)
      SELECT b.id, b.publication_id, b.id, r.id, b.id, CASE WHEN n % 7 = 0 THEN 'stripe-bacs' ELSE 'stripe-card' END, 'cus_' || n, 'pm_' || n,
        'active', 'print', ${months}, 'UK', ${renewsOn}, 2500, 'GBP', 'Renews automatically until you turn it off', r.sub_start_on, '4242',
        CASE WHEN n % 7 > 0 THEN ${day(`'${today}'`, 'n % 41 * 37')} END, ${now}, ${now}
      FROM (SELECT id - 1000000 AS n, id, publication_id FROM buyers WHERE id > 1000000) b JOIN readers r ON r.id = ${readerOf('b.id')}`)
    await db.run(`INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, attempts,
        order_id, reason, noticed_on, settled_at, created_at, updated_at)
      SELECT ${publisher}, publication_id, id, cycle_on, cycle_on, ${day('cycle_on', '21')}, price, currency,
        CASE id % 10 WHEN 0 THEN 'lapsed' WHEN 1 THEN 'cancelled' ELSE 'paid' END, 1, id, '', ${day('cycle_on', '-30')}, ${now}, ${now}, ${now}
      FROM (SELECT id, publication_id, price, currency, ${day('renews_on', '-400')} AS cycle_on FROM payment_agreements WHERE id > 1000000) a`)
  })
  await analyse(db, 'all')
}

/** Undoes the planning, and gives every agreement the day that `renewsOn` returns; some are declined and open. */
export async function resetPlan({ db }: Running, renewsOn: string, { declined }: { declined: boolean }): Promise<void> {
  const { day } = dialectSql(db)
  await db.transaction(async () => {
    await db.run(`DELETE FROM renewals WHERE state NOT IN ('paid', 'lapsed', 'cancelled')`)
    await db.run(`DELETE FROM jobs WHERE name = 'send-mail'`)
    await db.run(`UPDATE payment_agreements SET state = 'active', renews_on = ${renewsOn} WHERE id > 1000000`)
    if (!declined) return
    const declinedOn = day(`'${today}'`, '-1 - id % 14')
    await db.run(`UPDATE payment_agreements SET renews_on = ${declinedOn} WHERE id > 1000000 AND id % 10 = 9`)
    await db.run(`INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, attempts,
        next_try_on, order_id, reason, noticed_on, told_on, created_at, updated_at)
      SELECT p.publisher_id, a.publication_id, a.id, a.renews_on, a.renews_on, ${day('a.renews_on', '21')}, price, currency,
        CASE WHEN a.id % 20 = 9 THEN 'waiting' ELSE 'retrying' END, 1, CASE WHEN a.id % 20 <> 9 THEN ${day(`'${today}'`, '1 + a.id % 7')} END, order_id,
        'The card has insufficient funds', ${day('a.renews_on', '-30')}, a.renews_on, ${now}, ${now}
      FROM payment_agreements a JOIN publications p ON p.id = a.publication_id WHERE a.id > 1000000 AND a.id % 10 = 9`)
  })
  await analyse(db)
}
