import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** The advance notice of a direct debit: what will be taken, when, from which account, and how it shows on the statement. */
export interface DirectDebitNoticeView extends MailFrame {
  template: 'direct-debit-notice'
  greeting: string
  orderNumber: string
  total: string
  /** "on 27/11/2026", or "in the next few working days" while the bank has named none. */
  takenOn: string
  rows: MailRow[]
}

export const directDebitNoticeSample: DirectDebitNoticeView = {
  ...sampleFrame,
  template: 'direct-debit-notice',
  greeting: "Dear Mrs Ann O'Brien,",
  orderNumber: 'OD-7KQ2MXA',
  total: '£29.99 GBP',
  takenOn: 'on 27/11/2026',
  rows: [
    { label: 'Amount', value: '£29.99 GBP' },
    { label: 'Account ending in', value: '4321' },
    { label: 'Mandate reference', value: 'HLQ7XK2M' },
    { label: 'On your statement as', value: 'QUAYSIDE PRESS' },
  ],
}
