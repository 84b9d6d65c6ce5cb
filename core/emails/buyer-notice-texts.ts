import type { MailText } from './mail-translator.ts'

/** The changes of an account or its renewals that its reader is notified of by email. */
export const buyerNotices = ['password-changed', 'email-changed', 'renewal-off'] as const
type BuyerNotice = (typeof buyerNotices)[number]

interface NoticeTexts {
  headline: MailText
  meaning: MailText
  advice: MailText
  /** A path below the storefront's own address. */
  link: { label: MailText; path: string }
}

/** The texts of each notice. A notice without texts here, or without their translations, does not compile. */
export const buyerNoticeTexts = {
  'password-changed': {
    headline: 'Your password was changed',
    meaning: 'Log in with the new password from now on. Everywhere else you were logged in, you have been logged out.',
    advice: 'If this was not you, set a new password at once: somebody else may know the one you have now.',
    link: { label: 'Set a new password', path: '/forgot' },
  },
  'email-changed': {
    headline: 'The email of your account was changed',
    meaning: 'Log in with the new email from now on. Our emails about your subscription go there too.',
    advice: 'If this was not you, write to us at once: somebody else may know your password.',
    link: { label: 'Open your account', path: '/account' },
  },
  'renewal-off': {
    headline: 'Your automatic renewal is off',
    meaning: 'You get everything you have paid for. After that no more money is taken.',
    advice: 'Changed your mind, or was this not you? You can subscribe again at any time from your account.',
    link: { label: 'Open your account', path: '/account' },
  },
} as const satisfies Record<BuyerNotice, NoticeTexts>
