import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import Database from 'lucide-react/icons/database'
import Mail from 'lucide-react/icons/mail'
import Search from 'lucide-react/icons/search'
import UserPlus from 'lucide-react/icons/user-plus'
import { can } from '#core/access/permissions.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { ActionCard, DownloadCard } from '#web/app/components/ui/action-card.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { DayText, FileSize, Moment } from '#web/app/components/ui/formats.tsx'
import { Picture } from '#web/app/components/ui/picture.tsx'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Readers' }] }

export const meta: MetaFunction = () => [{ title: 'Readers – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'readers')
  const may = {
    search: can(ctx.actor, 'reader:read'),
    mailingFile: can(ctx.actor, 'mailing-file:make'),
    export: can(ctx.actor, 'reader:export'),
    add: can(ctx.actor, 'reader:write'),
    manageData: can(ctx.actor, 'reader:import'),
  }
  return { publications: await readerHome(ctx, {}), may, timeZone: ctx.settings.timeZone }
}

export default function Readers() {
  const { publications, may, timeZone } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Readers"
        note={may.search ? 'The readers of each of your publications.' : 'The mailing files of your publications.'}
      />
      {publications.length === 0 && (
        <EmptyState title="No Publications found for this User">
          Readers belong to a publication: they appear here as soon as there is one.
        </EmptyState>
      )}
      <ul className="space-y-5">
        {publications.map(({ id, publicationName, coverImage, readers, lastMailingFile }) => (
          <li key={id} className="card p-4 lg:p-5">
            <div className="flex items-start gap-4">
              {coverImage && (
                <Picture
                  image={coverImage}
                  kind="cover"
                  alt=""
                  sizes="80px"
                  className="h-20 w-auto shrink-0 rounded-input border border-line"
                />
              )}
              <div className="min-w-0">
                <h2 className="text-h3 wrap-break-word">{publicationName}</h2>
                {may.search && <p className="numeric text-body text-ink-2">{countOf(readers, 'reader')}</p>}
                {may.mailingFile && (
                  <p className="mt-1 text-table text-muted">
                    {lastMailingFile ? (
                      <>
                        Last mailing file: <DayText day={lastMailingFile.on} />,{' '}
                        {countOf(lastMailingFile.included, 'reader')}
                        {lastMailingFile.bytes > 0 && (
                          <>
                            , <FileSize bytes={lastMailingFile.bytes} />
                          </>
                        )}{' '}
                        (made <Moment at={lastMailingFile.madeAt} timeZone={timeZone} />)
                      </>
                    ) : (
                      'No mailing file has been made yet.'
                    )}
                  </p>
                )}
              </div>
            </div>
            <ul className="mt-4 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
              {may.mailingFile && (
                <DownloadCard
                  href={`/readers/${id}/mailing-file.csv`}
                  icon={<Mail size={20} aria-hidden="true" />}
                  title="Download Current Mailing File"
                  dialogTitle="Downloading Current Mailing File"
                  about={publicationName}
                >
                  Everyone who gets the printed issue today, sorted for the post.
                </DownloadCard>
              )}
              {may.export && (
                <DownloadCard
                  href={`/readers/${id}/all.csv`}
                  icon={<Database size={20} aria-hidden="true" />}
                  title="Download Entire Database"
                  dialogTitle="Downloading Entire Database"
                  about={publicationName}
                >
                  Every reader with every column. It can be imported again as it is.
                </DownloadCard>
              )}
              {may.add && (
                <ActionCard
                  to={`/addreader/${id}`}
                  icon={<UserPlus size={20} aria-hidden="true" />}
                  title="Add Reader"
                  about={publicationName}
                >
                  Enter one reader by hand.
                </ActionCard>
              )}
              {may.search && (
                <ActionCard
                  to={`/searchreaders/${id}`}
                  icon={<Search size={20} aria-hidden="true" />}
                  title="Search Readers"
                  about={publicationName}
                >
                  Find a reader by name, email, company, reference or postcode.
                </ActionCard>
              )}
            </ul>
            {may.mailingFile && <OtherMailingFile publicationId={id} about={publicationName} />}
            {may.manageData && (
              <p className="mt-3 text-body">
                <Link to={`/managedata?publication=${id}`} className="link">
                  Manage Data<span className="sr-only"> of {publicationName}</span>
                </Link>
                <span className="text-muted">: uploads, downloads, warnings and duplicates</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The link to a mailing file of another day or layout; the card next to it downloads today's with one click. */
function OtherMailingFile({ publicationId, about }: { publicationId: number; about: string }) {
  return (
    <p className="mt-3 text-body">
      <Link
        to={`/mailingfile/${publicationId}`}
        className="link"
        aria-label={`Mailing file for another day or layout: ${about}`}
      >
        Mailing file for another day or layout
      </Link>
    </p>
  )
}
