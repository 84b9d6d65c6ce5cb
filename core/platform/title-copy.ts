import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Services, TitleCopy } from '#core/context.ts'
import { asJson, instantText, type SqlValues } from '#core/database.ts'
import type { SqliteConnection } from '#core/ports/bulk.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { makeJobQueue } from './queue/make-job-queue.ts'

/** A folder older than this was left behind by a killed process. */
const staleMs = 24 * 3_600_000
const prefix = 'title-copy-'
const pageRows = 500

/**
 * Copies what the renewals of one title read and write into a separate SQLite database in the data folder, and opens services on it that
 * reach no provider, mail server or other system. Names, addresses, emails and the providers' ids are left out. `close` deletes it.
 */
export async function openTitleCopy(
  services: Services,
  publicationId: number,
  { now, signal }: { now: () => Date; signal?: AbortSignal | undefined },
): Promise<TitleCopy> {
  const parent = join(services.settings.dataDir, 'tmp')
  mkdirSync(parent, { recursive: true })
  removeStale(parent)
  const folder = mkdtempSync(join(parent, prefix))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const db = await openDatabase(`sqlite:${join(folder, 'copy.db')}`)
    const close = () =>
      db
        .close()
        .catch(() => {})
        .finally(remove)
    try {
      await migrate(db)
      const alias: Alias = (text) =>
        text === '' || text === null
          ? ''
          : `${createHmac('sha256', services.settings.appSecret).update(`title-copy:${text}`).digest('hex').slice(0, 20)}@example.invalid`
      const target = await db.bulk.sqlite('PRAGMA foreign_keys=OFF; PRAGMA synchronous=OFF;')
      try {
        for (const table of tables)
          await copyTable({ source: services.db, target, publicationId, signal, alias }, table)
      } finally {
        await target.close()
      }
      return { services: isolatedServices(services, { db, now }), close }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    remove()
    throw error
  }
}

function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (!name.startsWith(prefix)) continue
    // Another process may have removed it meanwhile.
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats && stats.mtimeMs < Date.now() - staleMs) rmSync(path, { recursive: true, force: true })
  }
}

/** The services with another database and clock, and without access to anything outside the process. */
function isolatedServices(services: Services, { db, now }: Pick<Services, 'db' | 'now'>): Services {
  return {
    ...services,
    db,
    now,
    jobs: makeJobQueue(db, now, () => {}),
    payments: {},
    planBilling: null,
    postcodes: null,
    mail: unavailablePort('mail'),
    dns: unavailablePort('dns'),
    readerFiles: unavailablePort('readerFiles'),
    uploadFiles: unavailablePort('uploadFiles'),
    openPostcodeLoad: () => refuse('openPostcodeLoad'),
    likelyReaders: unavailablePort('likelyReaders'),
    images: unavailablePort('images'),
    payeeCheck: unavailablePort('payeeCheck'),
    webhooks: unavailablePort('webhooks'),
    remoteFiles: unavailablePort('remoteFiles'),
    bounceMailbox: null,
    amazonNotices: unavailablePort('amazonNotices'),
    openTitleCopy: () => refuse('openTitleCopy'),
  }
}

function unavailablePort<Port extends object>(name: string): Port {
  return new Proxy({} as Port, { get: () => refuse(name) })
}

function refuse(name: string): never {
  throw new Error(`A copy of a title has no ${name}`)
}

type Row = Record<string, unknown>

interface CopiedTable {
  name: string
  /** Which rows, by `:publicationId`. */
  where: string
  /** False: without an id the rows cannot be read in pages, and are all read together. */
  hasId?: false
  /** Columns that are emptied: personal data and secrets. */
  emptied?: readonly string[]
  /** Replacement values. */
  replacement?: (row: Row, alias: Alias) => Row
}

/** A pseudonym for a text that names a person: equal for equal texts, so that records of one person are still matched. */
type Alias = (text: unknown) => string

const ofTitle = 'publication_id = :publicationId'
const ofPublisher = '(SELECT publisher_id FROM publications WHERE id = :publicationId)'
const names = ['title', 'first_name', 'last_name']

/** Referencing rows are copied before the rows they refer to, so that concurrent writes leave no dangling references. */
const tables: readonly CopiedTable[] = [
  { name: 'reader_efforts', where: ofTitle },
  { name: 'reminder_stops', where: ofTitle },
  {
    name: 'address_marks',
    where: `publisher_id = ${ofPublisher}`,
    emptied: ['status', 'answer'],
    replacement: ({ address_key: key }, alias) => ({ address_key: alias(key) }),
  },
  { name: 'renewals', where: ofTitle },
  {
    name: 'payment_agreements',
    where: ofTitle,
    emptied: ['consent_text', 'customer_reference', 'method_reference', 'mandate_reference', 'last_four'],
  },
  {
    name: 'payments',
    where: `order_id IN (SELECT id FROM orders WHERE ${ofTitle} AND state = 'pending')`,
    emptied: ['provider_reference', 'mandate_reference', 'account_last_four', 'charge_reference'],
  },
  {
    name: 'orders',
    where: ofTitle,
    emptied: [...names, 'mobile', 'buyer_draft', 'form_hash', 'staff_note', 'gift'],
    replacement: (row) => ({
      email: placeholderEmail('order', row),
      billing: vatAddress(row.billing),
      shipping: vatAddress(row.shipping),
    }),
  },
  {
    name: 'readers',
    where: ofTitle,
    emptied: [
      ...names,
      'full_name',
      'job_title',
      'company_name',
      'address_two',
      'address_three',
      'address_four',
      'city',
      'telephone',
      'fax',
      'web_address',
      'history',
      'data_source_one',
      'data_source_two',
      'answer_a',
      'answer_b',
      'answer_c',
      'answer_d',
      'answer_e',
      'mail_sort',
      'key_name',
      'key_address',
      'key_company',
    ],
    replacement: ({ email, key_email: key, key_surname: surname, address_one: line }, alias) => ({
      email: email === '' ? '' : alias(String(email).toLowerCase()),
      key_email: alias(key),
      key_surname: alias(surname),
      // All that matters is whether a letter can reach the reader.
      address_one: line === '' ? '' : '-',
    }),
  },
  {
    name: 'buyers',
    where: ofTitle,
    emptied: [...names, 'mobile', 'password_hash', 'shipping'],
    replacement: (row) => ({ email: placeholderEmail('buyer', row), email_key: placeholderEmail('buyer', row) }),
  },
  { name: 'publication_prices', where: ofTitle },
  { name: 'renewal_settings', where: ofTitle },
  { name: 'renewal_efforts', where: ofTitle },
  { name: 'renewal_series', where: ofTitle },
  { name: 'renewal_price_changes', where: ofTitle },
  { name: 'ledger_days', where: ofTitle, hasId: false },
  {
    name: 'opening_balance_terms',
    where: `opening_id IN (SELECT id FROM opening_balances WHERE ${ofTitle})`,
    hasId: false,
  },
  { name: 'opening_balances', where: ofTitle },
  { name: 'vat_settings', where: `publisher_id = ${ofPublisher}`, emptied: ['vat_number', 'oss_number'] },
  { name: 'vat_rates', where: `publisher_id = ${ofPublisher}` },
  { name: 'vat_exchange_rates', where: `publisher_id = ${ofPublisher}` },
  {
    name: 'accounts',
    where: `user_id = ${ofPublisher}`,
    emptied: [
      'paypal_client_id',
      'paypal_secret',
      'paypal_webhook_id',
      'stripe_publishable_key',
      'stripe_secret_key',
      'stripe_webhook_secret',
      'secure_trading_user',
      'secure_trading_password',
      'secure_trading_reference',
      'secure_trading_site_password',
      'plan_customer_reference',
      'plan_subscription_reference',
      'plan_card_last_four',
      'main_contact',
      'full_name',
      'address_one',
      'address_two',
      'address_three',
      'address_four',
      'post_zip',
      'telephone',
      'mobile',
      'email_address',
      'single_email_address',
    ],
  },
  {
    name: 'publications',
    where: 'id = :publicationId',
    emptied: ['email_address', 'order_email_address', 'cc_email', 'reader_platform_key'],
  },
  {
    name: 'users',
    where: `id = ${ofPublisher}`,
    emptied: ['password_hash', 'two_step_secret', 'two_step_recovery_codes', 'parent_publisher_id', 'reseller_id'],
    replacement: (row) => ({ email: placeholderEmail('user', row), email_key: placeholderEmail('user', row) }),
  },
]

interface Copying {
  source: Services['db']
  target: SqliteConnection
  publicationId: number
  signal: AbortSignal | undefined
  alias: Alias
}

async function copyTable({ source, target, publicationId, signal, alias }: Copying, table: CopiedTable): Promise<void> {
  const columns = await target.all<{ name: string; notnull: number }>(`PRAGMA table_info(${table.name})`)
  const list = columns.map(({ name }) => name).join(', ')
  const { hasId = true, where } = table
  for (let after = 0; ; ) {
    signal?.throwIfAborted()
    const page = hasId ? `AND id > :after ORDER BY id LIMIT :limit` : ''
    const values: SqlValues = { publicationId, ...(hasId ? { after, limit: pageRows } : {}) }
    const rows = await source.query<Row>(`SELECT ${list} FROM ${table.name} WHERE ${where} ${page}`, values)
    await target.run('BEGIN')
    for (const row of rows) {
      const replacement = table.replacement?.(row, alias) ?? {}
      const cells = columns.map(({ name, notnull }) => {
        if (table.emptied?.includes(name)) return notnull ? '' : null
        return sqliteValue(name in replacement ? replacement[name] : row[name])
      })
      await target.run(`INSERT INTO ${table.name} (${list}) VALUES (${cells.map(() => '?').join(', ')})`, cells)
    }
    await target.run('COMMIT')
    if (!hasId || rows.length < pageRows) return
    after = Number(rows.at(-1)?.id)
  }
}

/** A PostgreSQL value as SQLite stores it. */
function sqliteValue(value: unknown): unknown {
  if (value instanceof Date) return instantText(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** Empty where there is no email: that decides whether a notice can be sent. */
function placeholderEmail(kind: string, { id, email }: Row): string {
  return email === '' || email === null ? '' : `${kind}-${id}@example.invalid`
}

/** The part of an address that decides the VAT. */
function vatAddress(address: unknown): unknown {
  if (address === null || address === undefined) return null
  const parts = asJson<Row>(address)
  const vatFields = ['country', 'state', 'postCode']
  return JSON.stringify(
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, vatFields.includes(name) ? value : ''])),
  )
}
