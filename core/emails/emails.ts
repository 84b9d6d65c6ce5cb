import { accountEmails } from './account-emails.ts'
import { buyerEmails } from './buyer-emails.ts'
import { dataEmails } from './data-emails.ts'
import { dunningEmails } from './dunning-emails.ts'
import { invoiceEmails } from './invoice-emails.ts'
import { ledgerEmails } from './ledger-emails.ts'
import type { Mail } from './mail.ts'
import { orderEmails } from './order-emails.ts'
import { planEmails } from './plan-emails.ts'
import { refundEmails } from './refund-emails.ts'
import { reminderEmails } from './reminder-emails.ts'
import { renewalEmails } from './renewal-emails.ts'
import { senderEmails } from './sender-emails.ts'
import { transferEmails } from './transfer-emails.ts'
import { webhookEmails } from './webhook-emails.ts'

/** The table of emails, by the folder of their templates. */
export const emails = {
  ...orderEmails,
  ...refundEmails,
  ...renewalEmails,
  ...reminderEmails,
  ...dunningEmails,
  ...invoiceEmails,
  ...buyerEmails,
  ...accountEmails,
  ...planEmails,
  ...ledgerEmails,
  ...senderEmails,
  ...webhookEmails,
  ...transferEmails,
  ...dataEmails,
}

export type MailName = keyof typeof emails

type Subjects = { [Name in MailName]: (typeof emails)[Name] extends Mail<infer About> ? About : never }

declare module '../jobs/enqueue-mail.ts' {
  interface MailSubjects extends Subjects {}
}
