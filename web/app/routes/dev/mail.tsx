import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { notFound } from '#core/kernel/errors.ts'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { devMailboxOf } from '#web/app/http/dev-mailbox.ts'
import { noIndex } from '#web/app/http/no-index.ts'

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: `${page?.mail.subject ?? 'Email'} – Masthead` },
  noIndex,
]

export async function loader({ params, context }: LoaderFunctionArgs) {
  const mail = await devMailboxOf(context).read(params.mailId ?? '')
  if (!mail) throw notFound('The email')
  // Images have relative addresses, so that they load regardless of the installation's public host name.
  const html = mail.html.replaceAll(`src="${context.services.settings.appUrl}/`, 'src="/')
  return { mail: { ...mail, html } }
}

export default function Mail() {
  const { mail } = useLoaderData<typeof loader>()
  const headers = [
    ['From', mail.fromName],
    ['To', mail.to],
    ['Copy', mail.cc],
    ['Reply to', mail.replyTo],
    ['Message-ID', mail.messageId],
  ]
  return (
    <PublicFrame>
      <div className="mx-auto max-w-3xl py-10">
        <p>
          <Link to="/dev/mail" className="link">
            All emails
          </Link>
        </p>
        <h1 className="mt-3 text-h2">{mail.subject}</h1>
        <dl className="mt-3 text-body">
          {headers.map(([label, value]) =>
            value ? (
              <div key={label} className="flex gap-2">
                <dt className="w-24 shrink-0 text-muted">{label}</dt>
                <dd className="min-w-0 break-words">{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
        <h2 className="mt-8 text-h3">As HTML</h2>
        {/* The sandboxed frame allows no scripts and no forms. It keeps our origin, otherwise the logo would be refused. */}
        <iframe
          sandbox="allow-same-origin"
          srcDoc={mail.html}
          title={`HTML of ${mail.subject}`}
          className="card mt-3 h-200 w-full"
        />
        <h2 className="mt-8 text-h3">As text</h2>
        <section aria-label="Text of the email" className="card mt-3 overflow-x-auto p-4">
          <pre className="text-body whitespace-pre-wrap">{mail.text}</pre>
        </section>
      </div>
    </PublicFrame>
  )
}
