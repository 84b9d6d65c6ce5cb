import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { countOf } from '#core/kernel/text-format.ts'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { devMailboxOf } from '#web/app/http/dev-mailbox.ts'
import { noIndex } from '#web/app/http/no-index.ts'

const maxShown = 200

export const meta: MetaFunction = () => [{ title: 'Stored emails – Masthead' }, noIndex]

export async function loader({ context }: LoaderFunctionArgs) {
  const emails = await devMailboxOf(context).list(maxShown + 1)
  return {
    hasMore: emails.length > maxShown,
    emails: emails
      .slice(0, maxShown)
      .map(({ id, subject, to, keptAt }) => ({ id, subject, to, keptAt: new Date(keptAt) })),
    timeZone: context.services.settings.timeZone,
  }
}

export default function Emails() {
  const { emails, hasMore, timeZone } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="mx-auto max-w-3xl py-10">
        <h1 className="text-h2">Stored emails</h1>
        <p className="mt-2 text-body text-ink-2">
          There is no mail server, so emails stay on this machine. Newest first,{' '}
          {hasMore ? `only the last ${maxShown} emails` : countOf(emails.length, 'email')}.
        </p>
        {emails.length === 0 ? (
          <div className="mt-6">
            <EmptyState title="No emails yet">
              Buy a subscription on a storefront: its receipt and its notice appear here.
            </EmptyState>
          </div>
        ) : (
          <ul className="card mt-6 divide-y divide-line">
            {emails.map(({ id, subject, to, keptAt }) => (
              <li key={id} className="px-4 py-3">
                <Link to={`/dev/mail/${id}`} className="link font-medium">
                  {subject}
                </Link>
                <p className="flex flex-wrap justify-between gap-x-4 text-table text-muted">
                  <span>To {to}</span>
                  <Moment at={keptAt} timeZone={timeZone} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </PublicFrame>
  )
}
