import type { AuditAction } from '../audit/audit-actions.ts'

/** The changes of an account that its user is notified of by email. */
export const accountNotices = [
  'password-changed',
  'email-changed',
  'payee-keys-changed',
  'payee-keys-removed',
  'two-step-on',
  'two-step-off',
  'recovery-code-used',
  'script-key-made',
] as const
export type AccountNotice = (typeof accountNotices)[number]

interface NoticeTexts {
  headline: string
  meaning: string
  advice: string
  link: { label: string; path: string }
  /** The audit log actions that record when and from where the change was made. */
  actions: readonly AuditAction[]
}

const newPassword = { label: 'Set a new password', path: '/forgot' }
const scriptKeys = { label: 'See your keys for scripts', path: '/account/keys' }
const twoStep = { label: 'Check your two-step log-in', path: '/account/two-step' }

/** The texts of each notice. A notice without texts here does not compile. */
export const accountNoticeTexts: Record<AccountNotice, NoticeTexts> = {
  'password-changed': {
    headline: 'Your password was changed',
    meaning: 'Log in with the new password from now on. Everywhere else you were logged in, you have been logged out.',
    advice: 'If this was not you, set a new password at once: somebody else may know the one you have now.',
    link: newPassword,
    actions: ['change-password', 'reset-password', 'set-password', 'update-user'],
  },
  'email-changed': {
    headline: 'The email of your account was changed',
    meaning: 'From now on you log in with the new email, and our emails go to it. Both addresses are notified.',
    advice:
      'If this was not you, tell the person who manages your account, or us, at once: whoever changed it can log in as you.',
    // The former address can no longer log in.
    link: { label: 'Contact us', path: '/contactme' },
    actions: ['change-email', 'update-user'],
  },
  'payee-keys-changed': {
    headline: 'Your payment keys were changed',
    meaning: 'What your readers pay goes to the payment account of the new keys from now on.',
    advice:
      'If this was not you, change your password first, then put the right keys back: your readers’ money may be going to somebody else.',
    link: { label: 'Check your payment keys', path: '/account' },
    actions: ['change-payee-keys', 'update-account'],
  },
  'payee-keys-removed': {
    headline: 'Your payment keys were removed',
    meaning: 'Your readers can no longer pay through the payment account whose keys were removed.',
    advice:
      'If this was not you, change your password first, then put the keys back: until then your readers cannot pay that way.',
    link: { label: 'Check your payment keys', path: '/account' },
    actions: ['change-payee-keys', 'update-account'],
  },
  'two-step-on': {
    headline: 'Two-step log-in was turned on',
    meaning:
      'From now on you log in with your password and a code from your authenticator app. Keep your recovery codes where you can find them without your phone.',
    advice: 'If this was not you, set a new password at once and tell the person who manages your account.',
    link: newPassword,
    actions: ['turn-on-two-step'],
  },
  'two-step-off': {
    headline: 'Two-step log-in was turned off',
    meaning: 'Your password alone is enough to log in now. Your old codes no longer work.',
    advice: 'If you did not expect this, set a new password at once, then turn two-step log-in on again.',
    link: twoStep,
    actions: ['turn-off-two-step'],
  },
  'recovery-code-used': {
    headline: 'A recovery code was used to log in',
    meaning: 'That code no longer works. When few are left, make ten new ones.',
    advice: 'If this was not you, set a new password and make new recovery codes at once.',
    link: twoStep,
    actions: ['use-recovery-code'],
  },
  'script-key-made': {
    headline: 'A key for scripts was created',
    meaning: 'Programs with this key act in your name through the API, within the rights that were chosen for it.',
    advice: 'If this was not you, revoke the key and set a new password at once.',
    link: scriptKeys,
    actions: ['make-script-key'],
  },
}
