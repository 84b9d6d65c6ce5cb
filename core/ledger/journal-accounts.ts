import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type JournalAccount, journalAccountNames } from './journal.rules.ts'
import { accountCodes, setAccountCode } from './journal-accounts.rows.ts'

export interface JournalAccountRow {
  account: JournalAccount
  name: string
  /** Blank if it was not set. */
  code: string
}

const accounts = Object.keys(journalAccountNames) as [JournalAccount, ...JournalAccount[]]

/** Every account that a journal can post to, and its code in the acting publisher's books. */
export const listJournalAccounts = useCase({
  permission: 'ledger:journal',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<JournalAccountRow[]> {
    const codes = await accountCodes(ctx, requirePublisherId(ctx))
    return accounts.map((account) => ({ account, name: journalAccountNames[account], code: codes[account] ?? '' }))
  },
})

/** Sets account codes: a blank code is removed, and accounts that are left out keep theirs. */
export const setJournalAccounts = useCase({
  permission: 'ledger:journal',
  input: z.object({
    codes: z.partialRecord(
      z.enum(accounts),
      z
        .string()
        .trim()
        .max(100, 'At most 100 characters')
        .regex(/^[^\r\n\t]*$/, 'One line of text'),
    ),
  }),
  async run(ctx, { codes }): Promise<void> {
    const publisherId = requirePublisherId(ctx)
    for (const [account, code] of Object.entries(codes))
      await setAccountCode(ctx, { publisherId, account: account as JournalAccount, code })
    await recordAudit(ctx, 'set-journal-accounts', { type: 'sales-ledger', id: null, publisherId }, codes)
  },
})
