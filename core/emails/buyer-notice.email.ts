import { type MailFrame, type MailRow, sampleFrame } from './mail-frame.rules.ts'

/** What a reader is told when something that matters happened to the account at a publication. */
export interface BuyerNoticeView extends MailFrame {
  template: 'buyer-notice'
  greeting: string
  /** "Your password was changed", also the subject. */
  headline: string
  /** What follows from it. */
  meaning: string
  rows: MailRow[]
  /** What to do if it was not wanted. */
  advice: string
  link: { label: string; url: string }
}

export const buyerNoticeSample: BuyerNoticeView = {
  ...sampleFrame,
  template: 'buyer-notice',
  greeting: "Dear Mrs Ann O'Brien,",
  headline: 'Your automatic renewal is off',
  meaning: 'You get everything you have paid for. After that no more money is taken.',
  rows: [
    { label: 'Account', value: 'ann@example.com' },
    { label: 'When', value: '21/11/2026 10:00 (Europe/London)' },
    { label: 'Subscription', value: 'Print, one year' },
    { label: 'Runs until', value: '21/11/2027' },
  ],
  advice: 'Changed your mind? You can subscribe again at any time.',
  link: { label: 'Open your account', url: 'https://subscriptions.example.com/harbour-light/account' },
}
