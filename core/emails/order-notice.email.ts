import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** The notice a publisher's order address gets for every paid order. */
export interface OrderNoticeView extends MailFrame {
  template: 'order-notice'
  orderNumber: string
  productName: string
  buyerName: string
  total: string
  rows: MailRow[]
  deliveryLines: string[]
  answers: MailRow[]
  orderUrl: string
}

export const orderNoticeSample: OrderNoticeView = {
  ...sampleFrame,
  template: 'order-notice',
  orderNumber: 'OD-7KQ2MXA',
  productName: 'Print, one year',
  buyerName: "Mrs Ann O'Brien",
  total: '£29.99 GBP',
  rows: [
    { label: 'Order number', value: 'OD-7KQ2MXA' },
    { label: 'Reader', value: 'HL4407689' },
    { label: 'Email', value: 'ann@example.com' },
  ],
  deliveryLines: ["Mrs Ann O'Brien", '1 Quay Street', 'London', 'SW1A 1AA', 'United Kingdom'],
  answers: [{ label: 'Do you own a boat?', value: 'Yes' }],
  orderUrl: 'https://subscriptions.example.com/orderDetails/1204',
}
