import { type MailFrame, productFrame } from './mail-frame.rules.ts'

/** What the house gets when a visitor has written by the contact form. */
export interface ContactRequestView extends MailFrame {
  template: 'contact-request'
  name: string
  email: string
  /** Empty where none was given. */
  phone: string
  /** "21/11/2026 10:05". */
  writtenAt: string
  /** The message, paragraph by paragraph, as text. */
  message: string[]
}

export const contactRequestSample: ContactRequestView = {
  ...productFrame('https://subscriptions.example.com'),
  template: 'contact-request',
  name: "Ann O'Brien",
  email: 'ann@example.com',
  phone: '01326 496 0123',
  writtenAt: '21/11/2026 10:05',
  message: ['We publish two magazines.', 'Can you take over our 4,000 readers?'],
}
