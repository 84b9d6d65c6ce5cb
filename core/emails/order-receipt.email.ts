import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** The receipt a buyer gets. The order's words are the publication's own; the figures are the order's. */
export interface OrderReceiptView extends MailFrame {
  template: 'order-receipt'
  name: string
  orderNumber: string
  productName: string
  opening: string[]
  receiptText: string[]
  ending: string[]
  rows: MailRow[]
  /** "£29.99 GBP", or "Free". */
  total: string
  /** What stands beside the sum: "Total paid", or "Total" for a direct debit that is still to be taken. */
  totalLabel: string
  /** What the buyer has to know besides: a debit that is to come, an account without a password. */
  notes: string[]
  deliveryLines: string[]
  apps: { label: string; url: string }[]
}

export const orderReceiptSample: OrderReceiptView = {
  ...sampleFrame,
  template: 'order-receipt',
  name: "Mrs Ann O'Brien",
  orderNumber: 'OD-7KQ2MXA',
  productName: 'Print and digital, one year',
  opening: [],
  receiptText: ['Thank you for coming aboard.', 'Printed copies leave us in the last week of the month.'],
  ending: ['Fair winds,', 'the crew of Harbour Light'],
  rows: [
    { label: 'Order number', value: 'OD-7KQ2MXA' },
    { label: 'Subscription', value: 'Print and digital, one year' },
    { label: 'Starts', value: '21/11/2026' },
    { label: 'Ends', value: '21/11/2027' },
  ],
  total: '£29.99 GBP',
  totalLabel: 'Total paid',
  notes: ['Your account has no password yet. Set one at https://subscriptions.example.com/harbour-light/forgot'],
  deliveryLines: ["Mrs Ann O'Brien", '1 Quay Street', 'London', 'SW1A 1AA', 'United Kingdom'],
  apps: [{ label: 'Read it online', url: 'https://read.harbour-light.example/' }],
}
