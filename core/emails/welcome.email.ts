import { type MailFrame, productFrame } from './mail-frame.rules.ts'

/** What a publisher gets who has signed up: that it is done, what was bought, and how to begin. */
export interface WelcomeView extends MailFrame {
  template: 'welcome'
  greeting: string
  companyName: string
  /** "Standard, 3 titles". */
  planName: string
  /** What the publisher logs in with. */
  email: string
  loginUrl: string
}

export const welcomeSample: WelcomeView = {
  ...productFrame('https://subscriptions.example.com'),
  template: 'welcome',
  greeting: "Dear Ann O'Brien,",
  companyName: 'Quayside Press',
  planName: 'Standard, 3 titles',
  email: 'ann@example.com',
  loginUrl: 'https://subscriptions.example.com/login',
}
