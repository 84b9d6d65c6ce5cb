import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** What somebody is told who was given a subscription. The giver's message is the only text of theirs in it. */
export interface GiftNoticeView extends MailFrame {
  template: 'gift-notice'
  greeting: string
  buyerName: string
  productName: string
  message: string[]
  rows: MailRow[]
  deliveryLines: string[]
}

export const giftNoticeSample: GiftNoticeView = {
  ...sampleFrame,
  template: 'gift-notice',
  greeting: 'Dear Mr Jack Tar,',
  buyerName: "Ann O'Brien",
  productName: 'Print, one year',
  message: ['Happy birthday!', 'May it find you in every port.'],
  rows: [
    { label: 'Subscription', value: 'Print, one year' },
    { label: 'Starts', value: '21/11/2026' },
    { label: 'Ends', value: '21/11/2027' },
  ],
  deliveryLines: ['Mr Jack Tar', '3 Rope Walk', 'Falmouth', 'TR11 3JT', 'United Kingdom'],
}
