import type { Actor } from '#core/access/actor.ts'
import { deliveryFigures } from '#core/bounces/delivery-figures.query.ts'
import { contextFor } from '#core/context.ts'
import { listMailLog } from '#core/emails/mail-log.query.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { checkEmails } from '#core/platform/doctor-emails.ts'
import type { Running } from '#core/platform/make-services.ts'
import { addPublication } from './bench-database.ts'
import { shown } from './printed.ts'
import { median } from './served.ts'

const handle = 'bench-mail-log'
/** One in ten emails goes to the same reader. */
const emailsPerReader = 10
const daysKept = 400

/**
 * One publication's emails to a tenth as many readers, spread over 400 days: three in a hundred did not arrive, one in a hundred is about an
 * order, one in a thousand has its own subject. Without their bodies, which no list reads.
 */
export async function fillMailLog(services: Running, emails: number): Promise<void> {
  const { db, now } = services
  const isPostgres = db.dialect === 'postgres'
  const numbers = (count: number) =>
    isPostgres
      ? `generate_series(1, ${count}) AS s (n)`
      : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s) s`
  const moment = isPostgres
    ? `CAST(:now AS TIMESTAMPTZ) - (:emails - n) * INTERVAL '1 second' * :step`
    : `STRFTIME('%Y-%m-%d %H:%M:%f +00:00', JULIANDAY(:now) - (:emails - n) * :step / 86400.0)`
  const publication = `(SELECT id FROM publications WHERE url_key_lower = '${handle}')`
  const publisher = `(SELECT publisher_id FROM publications WHERE url_key_lower = '${handle}')`
  const at = isPostgres ? 'CAST(:now AS TIMESTAMPTZ)' : ':now'
  const readers = Math.ceil(emails / emailsPerReader)
  const values = { now: now(), emails, step: (daysKept * 86_400) / emails }
  await addPublication(services, handle)
  const offers = ['pub', 'partner'].flatMap((whose) =>
    ['', '_post', '_tel', '_sms'].map((by) => `${whose}_offers${by}`),
  )
  const yes = isPostgres ? 'TRUE' : '1'
  const no = isPostgres ? 'FALSE' : '0'
  // Letters, since a name key has no digits: 17,576 surnames, one in 26 of them with the same fourth letter.
  const letter = (of: string) => `${isPostgres ? 'CHR' : 'CHAR'}(CAST(97 + (${of}) % 26 AS INTEGER))`
  const surname = (initial: string) => `'${initial}da' || ${['n', 'n / 26', 'n / 676'].map(letter).join(' || ')}`
  const padded = isPostgres ? `RIGHT('0000000' || n, 7)` : `SUBSTR('0000000' || n, -7)`
  await db.transaction(async () => {
    await db.run(
      `INSERT INTO readers (id, publication_id, unique_reference, title, first_name, last_name, full_name, email, address_one, city, post_code,
         country, ${offers.join(', ')}, sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, key_name, key_surname, key_post_code, key_address, key_email, key_company, mail_sort, post_code_state,
         address_state, origin, is_deleted, created_at, updated_at)
       SELECT 1000000 + n, ${publication}, 'R' || n, 'Mr', 'Ann', ${surname('A')}, 'Ann ' || ${surname('A')}, 'r' || n || '@example.test',
         '1 Quay Street', 'Whitby', 'YO21 ' || n % 997, 'GB', ${offers.map(() => yes).join(', ')}, '2026-01-01', '2027-01-01', '2027-01-01', 'print', 2500, 'GBP', 'ann' || ${surname('a')}, ${surname('a')},
         'YO21' || n % 997, '1quaystreet', 'r' || n || '@example.test', '', 'YO21' || n % 997, 'ok', 'ok', 'file', ${no}, ${at}, ${at}
       FROM ${numbers(readers)}`,
      values,
    )
    await db.run(
      `INSERT INTO orders (id, publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product,
         product_name, term_months, is_recurring, band, country, currency, product_price, amount, payment_type, reader_id, first_name,
         last_name, email, billing, created_at, updated_at)
       SELECT 1000000 + n, ${publisher}, ${publication}, 'OD-' || ${padded}, 'paid', 'subscription', 'bench-' || n, ${at},
         '2026-01-01', 'print', 'Print', 12, ${no}, 'UK', 'GB', 'GBP', 2500, 2500, 'Card', 1000000 + n, 'Ann', 'Adams',
         'r' || n || '@example.test', '{}', ${at}, ${at}
       FROM ${numbers(Math.ceil(emails / 100))}`,
      values,
    )
    const state = `CASE n % 1000 WHEN 0 THEN 'waiting' WHEN 1 THEN 'failed' WHEN 2 THEN 'refused' WHEN 3 THEN 'suppressed'
      ELSE CASE WHEN n % 50 = 7 THEN 'bounced' WHEN n % 200 = 9 THEN 'dropped' ELSE 'sent' END END`
    const subject = `CASE WHEN n % 1000 = 500 THEN 'Your refund ' || n WHEN n % 100 = 0 THEN 'Your order of Harbour Light'
      ELSE 'Your subscription to Harbour Light' END`
    await db.run(
      `INSERT INTO emails (email_key, template, publication_id, order_id, reader_id, to_address, subject, key_address, key_subject,
         message_id, state, attempts, last_answer, sent_at, created_at)
       SELECT 'bench:' || n, template, ${publication}, order_id, reader_id, address, subject, address, LOWER(subject),
         '<' || n || '.0123456789abcdef@example.test>', state, 1, '250 2.0.0 Ok: queued as 4F2A', CASE WHEN state = 'sent' THEN made_at END, made_at
       FROM (SELECT n, CASE WHEN n % 1000 = 500 THEN 'refund-notice' WHEN n % 100 = 0 THEN 'order-receipt' ELSE 'renewal-reminder' END AS template,
         CASE WHEN n % 100 = 0 THEN 1000000 + n / 100 END AS order_id, 1000001 + n % ${readers} AS reader_id,
         'r' || (1 + n % ${readers}) || '@example.test' AS address, ${subject} AS subject, ${state} AS state, ${moment} AS made_at
         FROM ${numbers(emails)}) one`,
      values,
    )
    await db.run(
      `INSERT INTO delivery_events (event_key, publisher_id, address_key, kind, email_id, mail_sent_at, happened_at, created_at)
       SELECT 'bench:' || id, ${publisher}, key_address, CASE id % 3 WHEN 0 THEN 'soft' ELSE 'hard' END, id, created_at, created_at, created_at
       FROM emails WHERE state = 'bounced'`,
    )
  })
  if (isPostgres) await db.sequelize.query('VACUUM ANALYZE')
  else await db.run('ANALYZE')
}

/** The pages around the mail log: server time of the use case, the first time and the median. */
export async function measureMailLog(services: Running, rounds: number, say: (line: string) => void): Promise<void> {
  const { db } = services
  const [title] = await db.query<{ id: number; publisherId: number }>(
    `SELECT id, publisher_id AS "publisherId" FROM publications WHERE url_key_lower = '${handle}'`,
  )
  const { id: publicationId = 0, publisherId = 0 } = title ?? {}
  const staff: Actor = { kind: 'staff', userId: publisherId, userType: 'publisher', publisherId, email: 'bench@x.test' }
  const ctx = contextFor(services, staff, { entryPoint: 'test' })
  const list = async (filter: object) => (await listMailLog(ctx, { publicationId, ...filter })).emails.length
  const [middle] = await db.query<{ id: number }>(`SELECT MAX(id) / 2 AS id FROM emails`)
  const today = dayOf(services.now(), 'Europe/London')
  const requests: [string, () => Promise<number>][] = [
    ['first page', () => list({})],
    ['first page of 100', () => list({ size: 100 })],
    ['a page in the middle', () => list({ before: middle?.id ?? 0 })],
    ['one kind of email, one in a thousand', () => list({ mail: 'refund-notice' })],
    ['bounced', () => list({ state: 'bounced' })],
    ['given up, one in a thousand', () => list({ state: 'failed' })],
    ['one day, a year ago', () => list({ from: addDays(today, -365), to: addDays(today, -365) })],
    [
      'one kind, one state and a month',
      () => list({ mail: 'refund-notice', state: 'bounced', from: addDays(today, -31) }),
    ],
    ['searched: an address', () => list({ q: 'r4711@example.test' })],
    ['searched: a subject that most have', () => list({ q: 'your subscription' })],
    ['searched: a subject that one in a thousand has', () => list({ q: 'your refund' })],
    ['searched: a surname', () => list({ q: 'Adafzg' })],
    ['searched: the beginning of a surname that one in 26 has', () => list({ q: 'Adaf' })],
    ['searched: the number of an order', () => list({ q: 'OD-0004711' })],
    ['searched: a text that none contains', () => list({ q: 'zzzz' })],
    ['of one reader', () => list({ readerId: 1_004_711 })],
    ['of one reader, ten at most', () => list({ readerId: 1_004_711, size: 10 })],
    [
      'counts of bounces and complaints in thirty days',
      async () => (await deliveryFigures(ctx, { publicationId })).hard,
    ],
    ['counts of what was not sent in seven days, for `doctor`', async () => ((await checkEmails(db)) ? 1 : 0)],
  ]
  for (const [what, work] of requests) {
    const clock: number[] = []
    let rows = 0
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      rows = await work()
      clock.push(performance.now() - started)
    }
    say(`| ${what} | ${rows} | ${shown(clock[0] ?? 0)} | ${shown(median(clock))} |`)
  }
}
