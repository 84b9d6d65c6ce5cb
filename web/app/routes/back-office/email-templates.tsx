import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { getSender } from '#core/senders/get-sender.query.ts'
import { editorPath } from '#web/app/components/emails/mail-editor.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Email templates' }] }

export const meta: MetaFunction = () => [{ title: 'Email templates – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const publications = await listPublications(ctx, {})
  const { state, address } = await getSender(ctx, {})
  return {
    stopped: state === 'lost' || state === 'refused' ? { address, isRefused: state === 'refused' } : null,
    publications: publications.map(({ id, publicationName, coverImage }) => ({ id, publicationName, coverImage })),
  }
}

export default function EmailTemplates() {
  const { publications, stopped } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Email templates"
        note="The emails that your readers get. You can write your own text for each of them."
        actions={<LinkButton to="/emailtemplates/sender">Sender address</LinkButton>}
      />
      {stopped !== null && (
        <div className="mb-4">
          <Banner tone="danger" title={`Emails are no longer sent from ${stopped.address}`}>
            {stopped.isRefused
              ? 'The mail server refuses this address as a sender.'
              : 'Its DKIM record is missing or wrong.'}{' '}
            <Link to="/emailtemplates/sender" className="link">
              {stopped.isRefused ? 'See the server’s response' : 'See which records to add'}
            </Link>
          </Banner>
        </div>
      )}
      {publications.length === 0 ? (
        <EmptyState title="No publications yet">Each publication has its own emails.</EmptyState>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {publications.map((publication) => (
            <TemplateCard key={publication.id} publication={publication} />
          ))}
        </ul>
      )}
    </>
  )
}

function TemplateCard({
  publication: { id, publicationName, coverImage },
}: {
  publication: { id: number; publicationName: string; coverImage: string | null }
}) {
  const cover = imageFilesOf(coverImage, 'cover')
  const links = [
    { to: editorPath(id, 'order-receipt'), text: 'Purchase Receipt' },
    { to: editorPath(id, 'renewal-reminder'), text: 'Renewal Template' },
    { to: `/emailtemplates/${id}`, text: 'All emails' },
    { to: `/maillog/${id}`, text: 'Mail log' },
  ]
  return (
    <li className="card flex gap-4 p-4 lg:p-5">
      {cover ? (
        <img
          {...cover}
          sizes="72px"
          alt=""
          className="h-auto w-18 shrink-0 self-start rounded-input border border-line"
        />
      ) : (
        <span aria-hidden="true" className="h-24 w-18 shrink-0 rounded-input border border-dashed border-control" />
      )}
      <div className="min-w-0">
        <h2 className="text-h3 wrap-anywhere">{publicationName}</h2>
        <ul className="mt-1">
          {links.map(({ to, text }) => (
            <li key={to}>
              <Link
                to={to}
                aria-label={`${text} of ${publicationName}`}
                className="link inline-flex min-h-9 items-center text-body"
              >
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}
