import type { AppContext } from '../context.ts'
import { defineTable, id, instant, ref, text } from '../table.ts'
import type { JournalAccount } from './journal.rules.ts'
import type { AccountCodes } from './journal-layouts.rules.ts'

/** The account codes in a publisher's own books, one for each account that journals post to; an account without a code has no row. */
export const JournalAccounts = defineTable('journal_accounts', {
  id: id(),
  publisherId: ref(),
  account: text<JournalAccount>(),
  code: text(),
  createdAt: instant(),
  updatedAt: instant(),
})

export async function accountCodes(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<AccountCodes> {
  const rows = await JournalAccounts.rows(
    ctx,
    `SELECT ${JournalAccounts.columns()} FROM journal_accounts WHERE publisher_id = :publisherId`,
    { publisherId },
  )
  return Object.fromEntries(rows.map(({ account, code }) => [account, code]))
}

/** Sets the code of an account; a blank one removes it. Call it in a transaction. */
export async function setAccountCode(
  ctx: AppContext,
  { publisherId, account, code }: { publisherId: number; account: JournalAccount; code: string },
): Promise<void> {
  if (code === '') await JournalAccounts.remove(ctx, { publisherId, account })
  else if (!(await JournalAccounts.insertNew(ctx, { publisherId, account, code })))
    await JournalAccounts.update(ctx, { publisherId, account }, { code })
}
