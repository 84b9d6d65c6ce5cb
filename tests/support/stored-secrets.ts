import { seal } from '#core/access/sealed.ts'
import type { Running } from '#core/platform/make-services.ts'
import { columnsOf } from './database-checksum.ts'

/** Names of columns that no response may contain. A new column of such a name is checked automatically. */
const secretColumn = /hash|secret|password|recovery_codes|_token$/

/** The provider secrets that `storeTestSecrets` stores, in plain text. */
const testSecrets = {
  stripe_secret_key: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  stripe_webhook_secret: 'whsec_9Jk2nQvX7pLr4TzWb8',
  paypal_secret: 'EFgh-paypal-secret-77120',
  secure_trading_password: 'st-Pa55-of-the-site',
  secure_trading_site_password: 'st-S1te-security-words',
}

/** Gives a publisher a secret of every kind, encrypted as the product does. */
export async function storeTestSecrets({ db, settings, now }: Running, publisherId: number): Promise<void> {
  const columns = Object.entries(testSecrets)
  await db.run(
    `UPDATE accounts SET ${columns.map(([name]) => `${name} = :${name}`).join(', ')}, stripe_publishable_key = 'pk_test_public',
       paypal_client_id = 'paypal-client-public', secure_trading_user = 'user@site', secure_trading_reference = 'site12345'
     WHERE user_id = :publisherId`,
    {
      publisherId,
      ...Object.fromEntries(columns.map(([name, text]) => [name, seal(settings.appSecret, 'payee-key', text)])),
    },
  )
  await db.run(`UPDATE users SET two_step_secret = :secret, two_step_recovery_codes = :codes WHERE id = :publisherId`, {
    publisherId,
    secret: seal(settings.appSecret, 'two-step', 'JBSWY3DPEHPK3PXP'),
    codes: JSON.stringify(['0f'.repeat(32), '1e'.repeat(32)]),
  })
  await db.run(
    `INSERT INTO password_resets (token_hash, user_id, expires_at, created_at) VALUES (:hash, :publisherId, :later, :now)`,
    {
      hash: String(publisherId).padStart(64, 'ab12'),
      publisherId,
      later: new Date(now().getTime() + 3_600_000),
      now: now(),
    },
  )
}

/** Every stored secret at this moment, and the test secrets in plain text: no response may contain one. */
export async function storedSecrets({ db, settings }: Running): Promise<string[]> {
  const secrets = new Set([settings.appSecret, 'JBSWY3DPEHPK3PXP', ...Object.values(testSecrets)])
  for (const [table, columns] of await columnsOf(db)) {
    const secretColumns = columns.filter((column) => secretColumn.test(column))
    if (secretColumns.length === 0) continue
    for (const row of await db.query(`SELECT ${secretColumns.join(', ')} FROM ${table}`)) {
      for (const value of Object.values(row)) for (const text of secretTexts(value)) secrets.add(text)
    }
  }
  return [...secrets]
}

/** The texts in a value, lists flattened; short ones are ignored. */
function secretTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretTexts)
  if (typeof value !== 'string') return []
  if (value.startsWith('[')) return secretTexts(JSON.parse(value))
  return value.length >= 12 ? [value] : []
}
