import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { normalEmail } from '../kernel/email.rules.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { LedgerCloseStates, lockedCloseState } from './ledger-close-states.rows.ts'

const maxEmails = 10

/** Addresses as they are typed: one per line, or separated by commas, semicolons or spaces. Duplicates count once. */
const PackEmails = z
  .string()
  .max(4000, `Enter at most ${maxEmails} addresses`)
  .transform((text, context) => {
    const typed = text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(normalEmail)
    const emails = [...new Map(typed.map((email) => [email.toLowerCase(), email])).values()]
    const wrong = emails.filter((email) => !EmailAddress.safeParse(email).success)
    if (wrong.length > 0) context.addIssue({ code: 'custom', message: `Not an email address: ${wrong.join(', ')}` })
    if (emails.length > maxEmails)
      context.addIssue({ code: 'custom', message: `Enter at most ${maxEmails} addresses: there are ${emails.length}` })
    return emails
  })

/** Sets the recipients of the monthly pack, which is emailed when a month of the acting publisher is closed; blank: nobody. */
export const setPackEmails = useCase({
  permission: 'ledger:close',
  input: z.object({ emails: PackEmails }),
  async run(ctx, { emails }): Promise<string[]> {
    const publisherId = requirePublisherId(ctx)
    await lockedCloseState(ctx, publisherId)
    await LedgerCloseStates.update(ctx, { publisherId }, { packEmails: emails })
    await recordAudit(
      ctx,
      'set-pack-emails',
      { type: 'sales-ledger', id: null, publisherId },
      { emails: emails.length },
    )
    return emails
  },
})
