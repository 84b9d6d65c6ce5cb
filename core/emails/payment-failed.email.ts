import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** What a buyer, and the publication's order address, are told when a paid order was taken back. */
export interface PaymentFailedView extends MailFrame {
  template: 'payment-failed'
  headline: string
  orderNumber: string
  greeting: string
  paragraphs: string[]
  rows: MailRow[]
  action: { label: string; url: string }
}

export const paymentFailedSample: PaymentFailedView = {
  ...sampleFrame,
  template: 'payment-failed',
  headline: 'Your payment could not be taken',
  orderNumber: 'OD-7KQ2MXA',
  greeting: "Dear Mrs Ann O'Brien,",
  paragraphs: [
    'Your bank did not pay the direct debit for your order of Harbour Light, and the order has been taken back.',
    'You can order again and pay by another card or account.',
  ],
  rows: [
    { label: 'Order number', value: 'OD-7KQ2MXA' },
    { label: 'Ordered', value: 'Print, one year' },
    { label: 'Amount', value: '£29.99 GBP' },
  ],
  action: { label: 'Order again', url: 'https://subscriptions.example.com/harbour-light' },
}
