import { accountMails } from './account-mails.ts'
import { buyerMails } from './buyer-mails.ts'
import { dataMails } from './data-mails.ts'
import { dunningMails } from './dunning-mails.ts'
import { invoiceMails } from './invoice-mails.ts'
import { ledgerMails } from './ledger-mails.ts'
import type { Mail } from './mail.ts'
import { orderMails } from './order-mails.ts'
import { planMails } from './plan-mails.ts'
import { refundMails } from './refund-mails.ts'
import { reminderMails } from './reminder-mails.ts'
import { renewalMails } from './renewal-mails.ts'
import { senderMails } from './sender-mails.ts'
import { transferMails } from './transfer-mails.ts'
import { webhookMails } from './webhook-mails.ts'

/** The table of emails, by the folder of their templates. */
export const mails = {
  ...orderMails,
  ...refundMails,
  ...renewalMails,
  ...reminderMails,
  ...dunningMails,
  ...invoiceMails,
  ...buyerMails,
  ...accountMails,
  ...planMails,
  ...ledgerMails,
  ...senderMails,
  ...webhookMails,
  ...transferMails,
  ...dataMails,
}

export type MailName = keyof typeof mails

type Subjects = { [Name in MailName]: (typeof mails)[Name] extends Mail<infer About> ? About : never }

declare module '../jobs/enqueue-mail.ts' {
  interface MailSubjects extends Subjects {}
}
