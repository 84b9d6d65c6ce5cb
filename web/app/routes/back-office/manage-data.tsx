import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { countLikely } from '#core/duplicates/count-likely.query.ts'
import { listFixes } from '#core/fixes/list-fixes.query.ts'
import { lastImport } from '#core/imports/list-imports.query.ts'
import { notFound } from '#core/kernel/errors.ts'
import { postcodeCount } from '#core/postcode-files/get-postcodes.query.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { listRemovals } from '#core/removals/list-removals.query.ts'
import { dataHealth } from '#core/warnings/data-health.query.ts'
import { DataActions } from '#web/app/components/data-quality/data-actions.tsx'
import { FixPreview } from '#web/app/components/data-quality/fix-preview.tsx'
import { FixesToUndo, FixState } from '#web/app/components/data-quality/fix-state.tsx'
import { HealthCard } from '#web/app/components/data-quality/health-card.tsx'
import { ReaderConfirmation } from '#web/app/components/data-quality/reader-confirmation.tsx'
import { ReaderList } from '#web/app/components/data-quality/reader-list.tsx'
import { RemovalState, RemovalsToRestore } from '#web/app/components/data-quality/removal-state.tsx'
import { RemoveListPanel } from '#web/app/components/data-quality/selected-readers.tsx'
import { WarningIndex } from '#web/app/components/data-quality/warning-index.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { NoPublications } from '#web/app/components/publications/no-publications.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { useFocusOnMessage, useFocusOnView } from '#web/app/components/ui/focus.ts'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { useLastActionData } from '#web/app/components/ui/use-last-action-data.ts'
import { LastImportCard } from '#web/app/components/uploads/last-import-card.tsx'
import { readForm, submit } from '#web/app/http/form.ts'
import { existingPage, listParams, searchParams } from '#web/app/http/list-params.ts'
import {
  handleManageDataForm,
  loadCounts,
  loadCountsWithTimeout,
  requestedFix,
  shownList,
} from '#web/app/http/manage-data.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Manage Data' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.list ? `${data.list.label} – ` : ''}Manage Data – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'manageData')
  const params = searchParams(request)
  const publications = await listHandles(ctx, {})
  const publication = params.publication
    ? publications.find(({ id }) => id === idParam(params.publication, 'The publication'))
    : publications[0]
  if (params.publication && !publication) throw notFound('The publication')
  const common = { publications, timeZone: ctx.settings.timeZone, back: withoutDialog(request) }
  if (!publication)
    return {
      ...common,
      publication: null,
      counts: null,
      likely: null,
      imports: null,
      fixes: [],
      removals: [],
      postcodes: null,
      health: null,
      list: null,
      fix: null,
      confirmation: null,
      isRemovingList: false,
    }
  const publicationId = publication.id
  const [counts, likely, imports, fixes, removals, postcodes, health, list, fix] = await Promise.all([
    params.counts === 'wait' ? loadCounts(ctx, publicationId) : loadCountsWithTimeout(ctx, publicationId),
    countLikely(ctx, { publicationId }),
    lastImport(ctx, { publicationId }),
    listFixes(ctx, { publicationId }),
    listRemovals(ctx, { publicationId }),
    postcodeCount(ctx, { publicationId }),
    dataHealth(ctx, { publicationId }),
    shownList(ctx, publicationId, params),
    requestedFix(ctx, publicationId, params),
  ])
  if (list) existingPage(request, list.page)
  const rows = list?.kind === 'readers' ? list.page.rows : (list?.page.rows.flatMap(({ readers }) => readers) ?? [])
  const index = rows.findIndex(({ id }) => String(id) === params.id)
  const reader = rows[index]
  const change = (list?.kind === 'readers' && list.fixes?.[index]) || null
  const askedAction =
    params.ask === 'remove' || (params.ask === 'fix' && change) ? (params.ask as 'remove' | 'fix') : null
  return {
    ...common,
    publication,
    counts,
    likely,
    imports,
    fixes,
    removals,
    postcodes,
    health,
    list,
    fix,
    isRemovingList: list?.kind === 'readers' && params.ask === 'remove-list',
    confirmation: reader && askedAction ? { action: askedAction, reader, change } : null,
  }
}

/** The page's address without the parameters of a dialog or preview. */
function withoutDialog(request: Request): string {
  const { searchParams } = new URL(request.url)
  for (const name of ['ask', 'id', 'fix', 'chosen', 'index', '_routes']) searchParams.delete(name)
  return `/managedata${searchParams.size > 0 ? `?${searchParams}` : ''}`
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'manageData')
  const values = await readForm(request)
  const [first] = await listHandles(ctx, {})
  const publicationId = idParam(listParams(request).publication ?? String(first?.id ?? ''), 'The publication')
  // Authorises the publication before validating the request.
  await listFixes(ctx, { publicationId })
  const returnTo = withoutDialog(request)
  return submit(context, values, () => handleManageDataForm(ctx, context, { publicationId, values, returnTo }))
}

export default function ManageData() {
  const {
    publications,
    publication,
    counts,
    likely,
    imports,
    fixes,
    removals,
    postcodes,
    health,
    list,
    fix,
    confirmation,
    isRemovingList,
    back,
    timeZone,
  } = useLoaderData<typeof loader>()
  useFocusOnView(
    `${list?.key ?? ''} ${fix?.kind ?? ''} ${fix?.readerIds?.join() ?? ''}`,
    fix ? '#auto-fix' : '#list-heading',
  )
  const problem = useLastActionData<{ problem?: { message: string; hint?: string } }>()?.problem
  const message = useRef<HTMLDivElement>(null)
  // The button that was pressed may be far below the message.
  useFocusOnMessage(message, problem)
  if (!publication) {
    return (
      <>
        <PageHeader title="Manage Data" />
        <NoPublications next="Its readers are managed here." />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Manage Data"
        note="Problems in this publication’s reader data, and how to fix them."
        actions={<PublicationChoice publications={publications} chosen={publication.id} />}
      />
      {problem && (
        <div ref={message} tabIndex={-1} className="mb-5 outline-none">
          <Banner tone="danger" title={problem.message} isAlert>
            {problem.hint}
          </Banner>
        </div>
      )}
      <FixState fixes={fixes} back={back} />
      <RemovalState removals={removals} back={back} />
      <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[16rem_minmax(0,1fr)]">
        <div
          className={`min-w-0 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-5.5rem)] lg:self-start lg:overflow-y-auto ${list || fix ? 'max-lg:hidden' : ''}`}
        >
          <WarningIndex
            key={publication.id}
            publication={publication}
            counts={counts}
            view={list?.key}
            likely={likely}
            lastWeek={health?.lastWeek ?? null}
          />
        </div>
        <div className="min-w-0">
          <div id="list" className="scroll-mt-20">
            {(list || fix) && (
              <Link
                to={`/managedata?publication=${publication.id}`}
                className="link mb-3 inline-flex min-h-8 items-center text-body lg:hidden"
              >
                All warnings
              </Link>
            )}
            {confirmation && <ReaderConfirmation confirmation={confirmation} back={back} />}
            {isRemovingList && list?.kind === 'readers' && <RemoveListPanel list={list} back={back} />}
            {fix && <FixPreview fix={fix} cancelTo={back} />}
            {list && (
              <ReaderList
                key={`${publication.id} ${list.key}`}
                list={list}
                publication={publication}
                timeZone={timeZone}
              />
            )}
          </div>
          {!list && (
            <>
              {health && <HealthCard publicationId={publication.id} health={health} back={back} />}
              {imports && (imports.last || imports.open) && (
                <div className="mb-8">
                  <LastImportCard publicationId={publication.id} {...imports} timeZone={timeZone} />
                </div>
              )}
              <DataActions publication={publication} postcodes={postcodes} timeZone={timeZone} />
            </>
          )}
          <FixesToUndo fixes={fixes} back={back} timeZone={timeZone} />
          <RemovalsToRestore removals={removals} back={back} timeZone={timeZone} />
        </div>
      </div>
    </>
  )
}
