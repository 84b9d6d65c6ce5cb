import { Link } from '@remix-run/react'
import type { MailLogPage } from '#core/emails/mail-log.query.ts'
import { Section } from '../ui/facts.tsx'
import { Moment } from '../ui/formats.tsx'
import { MailStateCell } from './mail-state.tsx'

interface ReaderEmailsProps {
  publicationId: number
  readerId: number
  page: MailLogPage
  timeZone: string
}

/** The number of emails on a reader's page; the log lists all of them. */
const maxShown = 5

/** The latest emails to a reader, with a link to all of them. */
export function ReaderEmails({ publicationId, readerId, page: { emails, older }, timeZone }: ReaderEmailsProps) {
  const hasMore = emails.length > maxShown || older !== null
  return (
    <Section title="Emails">
      {emails.length === 0 ? (
        <p className="text-body text-ink-2">No emails have been sent to this reader yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {emails.slice(0, maxShown).map((mail) => (
            <li key={mail.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2 first:pt-0">
              <div className="min-w-0">
                <Link to={`/maillog/${publicationId}/${mail.id}`} className="link text-body">
                  {mail.title}
                </Link>
                <p className="text-table text-muted">
                  <Moment at={mail.at} timeZone={timeZone} />
                </p>
              </div>
              <div className="text-table">
                <MailStateCell {...mail} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <p className="mt-2">
          <Link to={`/maillog/${publicationId}?readerId=${readerId}`} className="link text-body">
            All emails to this reader
          </Link>
        </p>
      )}
    </Section>
  )
}
