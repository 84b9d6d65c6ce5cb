import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { type Currency, currencies, formatMinorUnits } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type AgeClass, ageClasses, ageClassOf, daysOverdue, formatInvoiceNumber } from './invoice.rules.ts'
import { isOpenSql } from './invoices.rows.ts'

/** An invoice that is still to be paid; amounts in minor units. */
export interface Debtor {
  orderId: number
  number: string
  name: string
  email: string
  publicationName: string
  issuedOn: Day
  dueOn: Day
  daysOverdue: number
  age: AgeClass
  currency: Currency
  amount: number
  outstanding: number
}

/** What is due in a currency, by age. */
export type AgedSums = { currency: Currency; total: number } & Record<AgeClass, number>

type Row = Omit<Debtor, 'number' | 'daysOverdue' | 'age'> & { number: number }

/** SQL: open invoices of completed sales; where `hasStarted` is false, pro forma invoices, which are not owed until they are paid. */
const openSql = (publisherId: number | undefined, { hasStarted = true }: { hasStarted?: boolean } = {}) =>
  `FROM invoices i JOIN orders o ON o.id = i.order_id JOIN publications p ON p.id = i.publication_id
   WHERE ${isOpenSql('i')} AND (o.state ${hasStarted ? '<>' : '='} 'pending')
     ${publisherId === undefined ? '' : 'AND i.publisher_id = :publisherId'}`
const dueSql = 'i.amount - i.paid - i.credited - i.written_off'
const columns = `i.id, i.order_id AS "orderId", i.number, o.email, p.publication_name AS "publicationName", i.issued_on AS "issuedOn",
  i.due_on AS "dueOn", i.currency, i.amount, ${dueSql} AS outstanding, TRIM(o.title || ' ' || o.first_name || ' ' || o.last_name) AS name`

/** The acting publisher's open invoices, the longest due first, with their sums by age in each currency. */
export const listDebtors = useCase({
  permission: 'order:read',
  input: PageInput,
  transaction: 'none',
  async run(ctx, input): Promise<Page<Debtor> & { sums: AgedSums[] }> {
    const { publisherId } = tenantOf(ctx)
    const values = { publisherId: publisherId ?? null }
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
      `SELECT COUNT(*) AS total ${openSql(publisherId)}`,
      values,
    )
    const rows = await ctx.db.query<Row>(
      `SELECT ${columns} ${openSql(publisherId)} ORDER BY i.due_on, i.id LIMIT :limit OFFSET :offset`,
      { ...values, limit: input.size, offset: (input.page - 1) * input.size },
    )
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { ...pageOf(rows.map(debtorOn(today)), Number(total), input), sums: await agedSums(ctx, today) }
  },
})

const maxNotStarted = 200

/** The acting publisher's invoices whose subscriptions begin when they are paid, the longest due first: at most 200. */
export const listNotStarted = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ rows: Debtor[]; total: number }> {
    const { publisherId } = tenantOf(ctx)
    const values = { publisherId: publisherId ?? null }
    const from = openSql(publisherId, { hasStarted: false })
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total ${from}`, values)
    const rows = await ctx.db.query<Row>(
      `SELECT ${columns} ${from} ORDER BY i.due_on, i.id LIMIT ${maxNotStarted}`,
      values,
    )
    return { rows: rows.map(debtorOn(dayOf(ctx.now(), ctx.settings.timeZone))), total: Number(total) }
  },
})

async function agedSums(ctx: AppContext, today: Day): Promise<AgedSums[]> {
  const { publisherId } = tenantOf(ctx)
  // A class covers the due days from its own earliest day to the day before the earliest day of the preceding class.
  const classes = ageClasses.map(({ name, until }, index) => {
    const before = ageClasses[index - 1]?.until
    const from = Number.isFinite(until) ? `i.due_on >= :${name}From` : ''
    const to = before === undefined ? '' : `i.due_on < :${name}To`
    return {
      sql: `SUM(CASE WHEN ${[from, to].filter(Boolean).join(' AND ')} THEN ${dueSql} ELSE 0 END) AS "${name}"`,
      values: {
        ...(from ? { [`${name}From`]: addDays(today, -until) } : {}),
        ...(before === undefined ? {} : { [`${name}To`]: addDays(today, -before) }),
      },
    }
  })
  const rows = await ctx.db.query<{ currency: Currency; total: number } & Record<AgeClass, number>>(
    `SELECT i.currency, SUM(${dueSql}) AS total, ${classes.map(({ sql }) => sql).join(', ')}
     ${openSql(publisherId)} GROUP BY i.currency`,
    Object.assign({ publisherId: publisherId ?? null }, ...classes.map(({ values }) => values)),
  )
  const sorted = rows.toSorted((a, b) => currencies.indexOf(a.currency) - currencies.indexOf(b.currency))
  return sorted.map(({ currency, total, ...sums }) => ({
    ...(Object.fromEntries(ageClasses.map(({ name }) => [name, Number(sums[name])])) as Record<AgeClass, number>),
    currency,
    total: Number(total),
  }))
}

const debtorOn =
  (today: Day) =>
  ({ orderId, number, name, email, publicationName, issuedOn, dueOn, currency, amount, outstanding }: Row): Debtor => ({
    orderId,
    name,
    email,
    publicationName,
    issuedOn,
    dueOn,
    currency,
    amount: Number(amount),
    outstanding: Number(outstanding),
    number: formatInvoiceNumber(number),
    daysOverdue: daysOverdue(dueOn, today),
    age: ageClassOf(dueOn, today),
  })

const header = ['Invoice', 'Name', 'Email', 'Publication', 'Issued', 'Due', 'Days overdue', 'Age', 'Currency']
const batch = 1000

/** The open invoices as a CSV. The start of the export is itself audited. */
export const exportDebtors = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<DownloadFile> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: downloadName('Aged Debtors', today), chunks: debtorLines(ctx, today) }
  },
})

async function* debtorLines(ctx: AppContext, today: Day): AsyncGenerator<string> {
  const { publisherId } = tenantOf(ctx)
  await ctx.db.transaction(() =>
    recordAudit(ctx, 'export-debtors', { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) }),
  )
  yield byteOrderMark + csvText([[...header, 'Amount', 'Outstanding']])
  let last: { id: number; dueOn: Day } = { id: 0, dueOn: '0001-01-01' }
  while (true) {
    const rows = await ctx.db.query<Row & { id: number }>(
      `SELECT ${columns} ${openSql(publisherId)} AND (i.due_on, i.id) > (:dueOn, :id) ORDER BY i.due_on, i.id LIMIT :batch`,
      { publisherId: publisherId ?? null, dueOn: last.dueOn, id: last.id, batch },
    )
    if (rows.length > 0) yield csvText(rows.map(debtorOn(today)).map(cellsOf))
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < batch) return
    last = { id: lastRow.id, dueOn: lastRow.dueOn }
  }
}

function cellsOf(debtor: Debtor): CsvCell[] {
  const { number, name, email, publicationName, issuedOn, dueOn, currency, amount, outstanding } = debtor
  return [
    number,
    name,
    email,
    publicationName,
    formatDay(issuedOn),
    formatDay(dueOn),
    { number: String(debtor.daysOverdue) },
    ageClasses.find(({ name }) => name === debtor.age)?.label ?? '',
    currency,
    { number: formatMinorUnits(amount) },
    { number: formatMinorUnits(outstanding) },
  ]
}
