import { type MailFrame, sampleFrame } from './mail-frame.rules.ts'

/** The link for a reader who has forgotten the password of the account at a publication. */
export interface BuyerResetLinkView extends MailFrame {
  template: 'buyer-reset-link'
  greeting: string
  /** Whose password it is. */
  email: string
  url: string
}

export const buyerResetLinkSample: BuyerResetLinkView = {
  ...sampleFrame,
  template: 'buyer-reset-link',
  greeting: "Dear Mrs Ann O'Brien,",
  email: 'ann@example.com',
  url: 'https://subscriptions.example.com/resetsub/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
}
