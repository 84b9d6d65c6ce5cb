import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { AppContext } from '../context.ts'
import { defineTable, instant, ref, type TableContext, text } from '../table.ts'

/** Emails as they were sent, without the secrets of their links (`maskSecrets`). */
export const EmailBodies = defineTable('email_bodies', {
  emailId: ref(),
  /** Compressed, in base64. */
  body: text(),
  keptAt: instant(),
})

interface Body {
  html: string
  text: string
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
// Half the size of level 1 for a third of the time of level 9.
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A body as it is stored; null where the installation keeps none. */
export async function compressBody(
  { settings }: Pick<AppContext, 'settings'>,
  { html, text }: Body,
): Promise<string | null> {
  if (settings.mailBodyDays === 0) return null
  return (await compress(JSON.stringify({ html, text }), options)).toString('base64')
}

/** Stores a compressed body; where an email is sent again after a crash, the first body is kept. */
export async function storeBody(ctx: TableContext, emailId: number, body: string | null): Promise<void> {
  if (body !== null) await EmailBodies.insertNew(ctx, { emailId, body, keptAt: ctx.now() })
}

/** The stored body; null where none was stored, or it was deleted since. */
export async function bodyOf(ctx: Pick<AppContext, 'db'>, emailId: number): Promise<Body | null> {
  const row = await EmailBodies.find(ctx, { emailId })
  return row && (JSON.parse((await decompress(Buffer.from(row.body, 'base64'))).toString()) as Body)
}

/** How many bodies are deleted in one transaction: few, so that locks are held briefly. */
const perTransaction = 5000

/** Deletes the expired bodies. Returns how many. */
export async function deleteExpiredBodies(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - ctx.settings.mailBodyDays * 86_400_000)
  let total = 0
  for (;;) {
    const deleted = await ctx.db.run(
      `DELETE FROM email_bodies WHERE email_id IN
         (SELECT email_id FROM email_bodies WHERE kept_at <= :before ORDER BY kept_at LIMIT ${perTransaction})`,
      { before },
    )
    total += deleted
    if (deleted < perTransaction) return total
  }
}

/** Deletes the bodies of these emails. Returns how many. */
export function deleteBodies({ db }: Pick<AppContext, 'db'>, emailIds: readonly number[]): Promise<number> {
  return db.run(`DELETE FROM email_bodies WHERE email_id IN (:emailIds)`, { emailIds })
}
