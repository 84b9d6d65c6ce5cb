import { randomUUID } from 'node:crypto'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { areKeysRefused, failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { renewalYield } from '#core/renewals/renewal-yield.query.ts'
import { upcomingRenewals } from '#core/renewals/upcoming-renewals.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { FailedTable } from '#web/app/components/renewals/failed-table.tsx'
import { UpcomingTable } from '#web/app/components/renewals/upcoming-table.tsx'
import { YieldTable } from '#web/app/components/renewals/yield-table.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { handleRenewalForm } from '#web/app/http/renewal-actions.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

const title = 'Renewals'

export const handle: CrumbHandle = { crumbs: () => [{ label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewals')
  const { publication, show, ...query } = searchParams(request)
  const input = { ...query, publicationId: publication || undefined }
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const page = {
    publications,
    publicationId: Number(publication) || null,
    isRefused: wasRefused(context),
    areKeysRefused: await areKeysRefused(ctx, {}),
  }
  if (show === 'failed') {
    const failed = existingPage(request, await failedRenewals(ctx, input))
    return { ...page, show: 'failed' as const, failed, linkKey: randomUUID() }
  }
  if (show === 'yield') return { ...page, show: 'yield' as const, months: await renewalYield(ctx, input) }
  return { ...page, show: 'coming' as const, coming: existingPage(request, await upcomingRenewals(ctx, input)) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewals')
  const values = await readForm(request)
  const { pathname, search } = new URL(request.url)
  const returnTo = pathname.replace(/\.data$/, '') + search
  return submit(context, values, () => handleRenewalForm(ctx, context, { values, returnTo }))
}

const views = [
  { value: 'coming', text: 'Upcoming' },
  { value: 'failed', text: 'Failed' },
  { value: 'yield', text: 'Results by month' },
]

export default function Renewals() {
  const loaded = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const show = params.get('show')
  const titleQuery = loaded.publicationId ? `?publication=${loaded.publicationId}` : ''
  return (
    <>
      <PageHeader
        title={title}
        note="Subscriptions that renew automatically: what is charged next, what was declined, and the results."
        actions={
          <>
            <PublicationChoice publications={loaded.publications} chosen={loaded.publicationId} all="All titles">
              {show && <input type="hidden" name="show" value={show} />}
            </PublicationChoice>
            <LinkButton to={`/renewals/series${titleQuery}`}>Renewal series</LinkButton>
            <LinkButton to={`/renewals/offers${titleQuery}`}>Offers</LinkButton>
            <LinkButton to={`/renewals/prices${titleQuery}`}>Renewal prices</LinkButton>
            <LinkButton to={`/renewals/settings${titleQuery}`}>Settings</LinkButton>
          </>
        }
      />
      {loaded.areKeysRefused && (
        <div className="mb-4">
          <Banner tone="danger" title="Stripe refused this account’s API keys">
            Renewals that are due are not charged, and are not counted as declined. They will be charged automatically
            within minutes once the keys are corrected:{' '}
            <Link to="/account" className="link">
              payment keys
            </Link>
            .
          </Banner>
        </div>
      )}
      <div className="mb-4 flex">
        <ChoiceLinks label="Show" param="show" choices={views} />
      </div>
      {loaded.show === 'coming' && <UpcomingTable coming={loaded.coming} />}
      {loaded.show === 'failed' && <FailedTable failed={loaded.failed} linkKey={loaded.linkKey} />}
      {loaded.show === 'yield' && <YieldTable months={loaded.months} publicationId={loaded.publicationId} />}
      <p className="mt-6 text-table text-ink-2">
        Each attempt to charge is an order: those that were paid are in the{' '}
        <Link to="/payments" className="link">
          Sales Ledger
        </Link>
        .
      </p>
    </>
  )
}
