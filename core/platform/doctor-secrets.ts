import { type Purpose, unseal } from '#core/access/sealed.ts'
import type { Database } from '#core/database.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { type Check, failed, ok } from './doctor-check.ts'
import type { Env } from './env.ts'

/** The encrypted secrets that nothing replaces by itself, by the table and the columns that hold them. */
const sealedSecrets: readonly {
  purpose: Purpose
  table: string
  columns: readonly string[]
  describe(count: number): string
}[] = [
  {
    purpose: 'payee-key',
    table: 'accounts',
    columns: [
      'stripe_secret_key',
      'stripe_webhook_secret',
      'paypal_secret',
      'secure_trading_password',
      'secure_trading_site_password',
    ],
    describe: (count) => `payment keys of ${countOf(count, 'publisher')}`,
  },
  {
    purpose: 'two-step',
    table: 'users',
    columns: ['two_step_secret'],
    describe: (count) => `two-step log-in of ${countOf(count, 'user')}`,
  },
  {
    purpose: 'webhook',
    table: 'webhook_endpoints',
    columns: ['secret_sealed'],
    describe: (count) => `the secrets of ${countOf(count, 'webhook')}`,
  },
  {
    purpose: 'transfer',
    table: 'transfers',
    columns: ['secret_sealed'],
    describe: (count) => `the log-ins of ${countOf(count, 'transfer')}`,
  },
]

/** Finds secrets that this APP_SECRET does not decrypt, such as after a restore with another one. */
export async function checkSealedSecrets(db: Database, { appSecret }: Env): Promise<Check> {
  const unreadable: string[] = []
  for (const { purpose, table, columns, describe } of sealedSecrets) {
    const rows = await db.query<Record<string, string | null>>(
      `SELECT ${columns.join(', ')} FROM ${table} WHERE ${columns.map((column) => `${column} <> ''`).join(' OR ')}`,
    )
    const isUnreadable = (sealed: string | null) => !!sealed && unseal(appSecret, purpose, sealed) === null
    const count = rows.filter((row) => Object.values(row).some(isUnreadable)).length
    if (count > 0) unreadable.push(describe(count))
  }
  return unreadable.length === 0
    ? ok('Secrets', 'APP_SECRET decrypts every stored secret')
    : failed(
        'Secrets',
        `encrypted with another APP_SECRET: ${unreadable.join(', ')}`,
        'Set the APP_SECRET with which they were stored (or restore DATA_DIR/app-secret); if it is lost, they have to be entered again',
      )
}
