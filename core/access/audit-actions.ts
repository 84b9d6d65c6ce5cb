/**
 * THE table of what is written down: each action's name and how it reads after a person's name ("Ann Lee changed the payment keys").
 * A change or a download of personal data without a row here does not compile.
 */
export const auditActions = {
  'log-in': 'logged in',
  'log-in-refused': 'was refused at log-in',
  'log-out': 'logged out',
  'ask-reset': 'asked for a password reset',
  'reset-password': 'set a new password by link',
  'change-password': 'changed the password',
  'set-password': 'set a password for a user',
  'turn-on-two-step': 'turned two-step login on',
  'turn-off-two-step': 'turned two-step login off',
  'make-recovery-codes': 'made new recovery codes',
  'use-recovery-code': 'logged in with a recovery code',
  'add-user': 'added a user',
  'update-user': 'changed a user',
  'deactivate-user': 'deactivated a user',
  'reactivate-user': 'reactivated a user',
  'invite-user': 'sent an invitation',
  'add-publisher': 'added a publisher',
  'update-account': 'changed the account',
  'change-payee-keys': 'changed the payment keys',
  'check-payee-keys': 'checked the payment keys',
  'change-email': 'changed the e-mail',
  'set-avatar': 'changed the picture',
  'remove-avatar': 'removed the picture',
  'sign-up-begin': 'began a sign-up',
  'sign-up': 'signed up',
  'sign-up-unregistered': 'paid for a sign-up without registering',
  'sign-up-refund-due': 'paid for a sign-up that has to be refunded',
  'retry-jobs': 'ran failed jobs again',
  'export-readers': 'downloaded readers',
  'export-audit': 'downloaded the activity log',
  'import-readers': 'imported a reader file',
  'make-mailing-file': 'made a mailing file',
  'order-begin': 'began an order',
  'order-paid': 'paid an order',
  'order-declined': 'had a payment declined',
  'order-cancelled': 'cancelled an order',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions
