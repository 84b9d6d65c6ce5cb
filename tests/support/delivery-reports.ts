/** The fields of a mail server's report; by default that an email could not be delivered. */
export interface StatusReport {
  /** The recipient of the report: the envelope sender of the email. */
  to: string
  recipient: string
  action?: string
  status?: string
  diagnostic?: string
  /** The Message-ID of the returned email. */
  messageId?: string
  /** The report's own Message-ID. */
  id?: string
  date?: Date
  /** Replaces the body of the returned email. */
  returned?: string
}

const dateLine = (date: Date | undefined) => (date ? [`Date: ${date.toUTCString()}`] : [])
let reportCount = 0

/** A delivery status report as Postfix writes it (RFC 3464). */
export function statusReport(report: StatusReport): string {
  const { to, recipient, action = 'failed', status = '5.1.1' } = report
  const { diagnostic = `smtp; 550 ${status} <${recipient}>: Recipient address rejected`, messageId } = report
  const id = report.id ?? `report-${++reportCount}@mx.example.net`
  return [
    'Return-Path: <>',
    `Message-ID: <${id}>`,
    ...dateLine(report.date),
    'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="part"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--part',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    '--part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    'Arrival-Date: Sat, 21 Nov 2026 10:00:00 +0000 (GMT)',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822;${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: ${diagnostic}`,
    '',
    '--part',
    'Content-Type: message/rfc822',
    '',
    'From: Harbour Light <masthead@localhost>',
    `To: ${recipient}`,
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    'Subject: Your order',
    '',
    report.returned ?? 'Thank you.',
    '',
    '--part--',
    '',
  ].join('\r\n')
}

/** A complaint as mail providers send it (RFC 5965); the reader's address is removed, as most of them do. */
export function complaintReport({
  from,
  messageId,
  type = 'abuse',
}: {
  from?: string
  messageId?: string
  type?: string
}): string {
  return [
    `Message-ID: <complaint-${++reportCount}@provider.example>`,
    'From: <staff@provider.example>',
    'To: <abuse@masthead.example>',
    'Subject: Email complaint',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'This is an email abuse report.',
    '',
    '--part',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    ...(from ? [`Original-Mail-From: <${from}>`] : []),
    '',
    '--part',
    'Content-Type: message/rfc822',
    '',
    'From: <masthead@localhost>',
    'To: <redacted@example.com>',
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    'Subject: Your renewal',
    '',
    'Words.',
    '--part--',
    '',
  ].join('\r\n')
}
