/** Jobs of releases that had one job name per email, with the email that each of them sends. */
const mailJobs: Readonly<Record<string, string>> = {
  'send-receipt': 'order-receipt',
  'send-order-notice': 'order-notice',
  'send-gift-notice': 'gift-notice',
  'send-direct-debit-notice': 'direct-debit-notice',
  'send-payment-failed': 'payment-failed',
  'send-reset-link': 'reset-link',
  'send-invitation': 'invitation',
  'send-account-notice': 'account-notice',
  'send-buyer-reset-link': 'buyer-reset-link',
  'send-buyer-notice': 'buyer-notice',
  'send-welcome': 'welcome',
  'send-contact-request': 'contact-request',
}

/** A job under its current name: one that was enqueued before an upgrade, or by a process that has not been upgraded yet, still runs. */
export function currentJob(job: { name: string; payload: unknown }): { name: string; payload: unknown } {
  const mail = mailJobs[job.name]
  return mail === undefined ? job : { name: 'send-mail', payload: { mail, about: job.payload } }
}
