import { type MailFrame, productFrame } from './mail-frame.rules.ts'

/** The link for somebody who has forgotten the password. */
export interface ResetLinkView extends MailFrame {
  template: 'reset-link'
  greeting: string
  /** Whose password it is. */
  email: string
  url: string
}

export const resetLinkSample: ResetLinkView = {
  ...productFrame('https://subscriptions.example.com'),
  template: 'reset-link',
  greeting: "Dear Ann O'Brien,",
  email: 'ann@example.com',
  url: 'https://subscriptions.example.com/reset/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
}
