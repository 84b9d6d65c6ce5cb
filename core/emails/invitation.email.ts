import { type MailFrame, productFrame } from './mail-frame.rules.ts'

/** What somebody gets for whom an account was made: the link to choose the first password. */
export interface InvitationView extends MailFrame {
  template: 'invitation'
  greeting: string
  email: string
  /** "Reader administrator". */
  role: string
  /** Whose magazines they are, or empty. */
  companyName: string
  url: string
  /** Where a new link is asked for when this one is too old. */
  forgotUrl: string
}

export const invitationSample: InvitationView = {
  ...productFrame('https://subscriptions.example.com'),
  template: 'invitation',
  greeting: "Dear Ann O'Brien,",
  email: 'ann@example.com',
  role: 'Reader administrator',
  companyName: 'Quayside Press',
  url: 'https://subscriptions.example.com/reset/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
  forgotUrl: 'https://subscriptions.example.com/forgot',
}
