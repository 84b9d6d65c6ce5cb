import type { MailState } from '#core/emails/mail-log.query.ts'
import { Badge } from '../ui/badge.tsx'

/** The name of each state, and its badge colour. */
export const mailStateLabels = {
  sent: { text: 'Sent', tone: 'success' },
  waiting: { text: 'Waiting', tone: 'neutral' },
  bounced: { text: 'Bounced', tone: 'danger' },
  refused: { text: 'Refused', tone: 'danger' },
  suppressed: { text: 'Suppressed', tone: 'warning' },
  failed: { text: 'Failed', tone: 'danger' },
  dropped: { text: 'Not sent', tone: 'warning' },
} as const satisfies Record<MailState, { text: string; tone: string }>

/** An email's state, with the mail server's reply where it failed. */
export function MailStateCell({ state, answer, tries }: { state: MailState; answer: string; tries: number }) {
  const { text, tone } = mailStateLabels[state]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {state !== 'sent' && answer && <span className="mt-1 block wrap-anywhere text-ink-2 md:max-w-72">{answer}</span>}
      {tries > 1 && <span className="block text-muted">{`${tries} attempts`}</span>}
    </>
  )
}
