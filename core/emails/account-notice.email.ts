import { type MailFrame, type MailRow, productFrame } from './mail-frame.rules.ts'

/** What a user is told when something that matters happened to the account. */
export interface AccountNoticeView extends MailFrame {
  template: 'account-notice'
  greeting: string
  /** "Your password was changed", also the subject. */
  headline: string
  /** What follows from it. */
  meaning: string
  /** Which account, when, from where. */
  rows: MailRow[]
  /** What to do if it was somebody else. */
  advice: string
  link: { label: string; url: string }
}

export const accountNoticeSample: AccountNoticeView = {
  ...productFrame('https://subscriptions.example.com'),
  template: 'account-notice',
  greeting: "Dear Ann O'Brien,",
  headline: 'Your password was changed',
  meaning: 'Everywhere else you were logged in, you have been logged out.',
  rows: [
    { label: 'Account', value: 'ann@example.com' },
    { label: 'When', value: '21/11/2026 10:00 (Europe/London)' },
    { label: 'From', value: '203.0.113.7' },
  ],
  advice: 'If this was not you, set a new password at once: somebody else may know the one you have now.',
  link: { label: 'Set a new password', url: 'https://subscriptions.example.com/forgot' },
}
