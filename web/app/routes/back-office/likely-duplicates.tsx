import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { groupChoices } from '#core/duplicates/likely-choices.rules.ts'
import { certainConfidence } from '#core/duplicates/likely-group.rules.ts'
import { listLikely } from '#core/duplicates/list-likely.query.ts'
import { listMerges } from '#core/duplicates/list-merges.query.ts'
import { mergeLikelyDuplicates } from '#core/duplicates/merge-likely-duplicates.ts'
import { mergeRefusal } from '#core/duplicates/mergeable-group.rules.ts'
import { mergeProblem, separateSubscriptions } from '#core/duplicates/separate-subscriptions.query.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { likelyFrom, listableFrom } from '#core/likely/group-pairs.rules.ts'
import { useWorkList } from '#web/app/components/data-quality/use-work-list.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LikelyGroup } from '#web/app/components/likely/likely-group.tsx'
import { MergeAll, mergeLevels } from '#web/app/components/likely/merge-all.tsx'
import { MergeHistory } from '#web/app/components/likely/merge-history.tsx'
import { SearchProgress } from '#web/app/components/likely/search-state.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { KeyboardShortcuts } from '#web/app/components/ui/keyboard-shortcuts.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { useLastActionData } from '#web/app/components/ui/use-last-action-data.ts'
import { memberSummary } from '#web/app/http/duplicate-groups.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { handleLikelyForm } from '#web/app/http/likely-form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationName, publicationId }) => [
    { label: 'Manage Data', to: `/managedata?publication=${publicationId}` },
    { label: publicationName },
    { label: 'Likely duplicates' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Likely duplicates – ${data?.publicationName ?? ''} – Masthead` },
]

const levels: Record<string, { min?: number; below?: number }> = {
  sure: { min: certainConfidence },
  likely: { min: 0.85, below: certainConfidence },
  perhaps: { below: 0.85 },
  doubtful: { min: listableFrom, below: likelyFrom },
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'likelyDuplicates')
  const publicationId = idParam(params.publicationId, 'The publication')
  // The page has levels instead of bounds.
  const { min: _, below: __, ...query } = searchParams(request)
  const isHistory = query.view === 'merged'
  const [list, merges] = await Promise.all([
    listLikely(ctx, { ...query, ...levels[query.level ?? ''], publicationId }),
    listMerges(ctx, { ...(isHistory ? query : {}), publicationId }),
  ])
  existingPage(request, isHistory ? merges : list)
  const level = mergeLevels.find(({ value }) => value === query.merge)?.value
  const preview =
    level && list.search
      ? await mergeLikelyDuplicates(ctx, { publicationId, minConfidence: level, dryRun: true })
      : null
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const separate = await separateSubscriptions(
    ctx,
    list.rows.flatMap(({ members }) => members.map(({ id }) => id)),
  )
  return {
    publicationId,
    publicationName: list.publicationName,
    timeZone: ctx.settings.timeZone,
    isHistory,
    list: {
      ...list,
      rows: list.rows.map(({ members, ...group }) => ({
        ...group,
        reasons: [...new Set(members.flatMap(({ reasons }) => reasons))],
        refusal: mergeRefusal({
          count: members.length,
          shown: members.length,
          isSimilar: true,
          isChanged: group.isChanged,
          problem: mergeProblem(
            members.map(({ id }) => id),
            separate,
          ),
        }),
        members: members.map(memberSummary),
      })),
    },
    choices: list.rows.map((group) => groupChoices(group, today)),
    merges,
    mergePreview:
      preview && level
        ? {
            level,
            groups: preview.groups,
            readers: preview.readers,
            renewing: preview.renewing,
            paid: preview.paid,
          }
        : null,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'likelyDuplicates')
  const publicationId = idParam(params.publicationId, 'The publication')
  const values = await readForm(request)
  const returnTo = `/managedata/likely/${publicationId}${new URL(request.url).search.replace('?index', '')}`
  return submit(context, values, () => handleLikelyForm(ctx, context, { publicationId, values, returnTo }))
}

export default function LikelyDuplicates() {
  const { publicationName, timeZone, isHistory, list, choices, merges, mergePreview } = useLoaderData<typeof loader>()
  const problem = useLastActionData<{ problem?: { message: string; hint?: string } }>()?.problem
  const container = useRef<HTMLElement>(null)
  const { refused, onFocus } = useWorkList(
    container,
    list.rows.map(({ id }) => String(id)),
  )
  const [batch = null] = merges.batches
  const { search, latest } = list
  const isRunning = latest?.state === 'waiting' || latest?.state === 'running'
  return (
    <>
      <PageHeader
        title={
          <>
            Likely duplicates{' '}
            {search && <span className="numeric font-normal text-muted">{formatCount(list.total)}</span>}
          </>
        }
        note={publicationName}
        actions={
          <Form method="post" action="?">
            <Button
              type="submit"
              name="intent"
              value="search"
              kind={search ? 'secondary' : 'primary'}
              isDisabled={isRunning}
            >
              {search ? 'Search again' : 'Search for likely duplicates'}
            </Button>
          </Form>
        }
      />
      <div className="mb-4 grid gap-3">
        {problem && (
          <Banner tone="danger" title={problem.message} isAlert>
            {problem.hint}
          </Banner>
        )}
        <SearchProgress search={latest} batch={batch} />
        {search && (
          <p className="text-table text-ink-2">
            {`${countOf(search.readers, 'active reader')} searched `}
            <Moment at={search.finishedAt} timeZone={timeZone} />.
            {list.isOutOfDate && ' Readers have been added since: search again to include them.'}
            {search.learned.length > 0 && ` Learned from this list: ${search.learned.join('; ')}.`}
          </p>
        )}
      </div>
      {(search || merges.total > 0) && (
        <div className="mb-4 flex flex-wrap gap-3">
          <ChoiceLinks
            label="Show"
            param="view"
            choices={[
              { value: 'open', text: 'To review' },
              { value: 'merged', text: 'Merged' },
            ]}
          />
          {!isHistory && (
            <ChoiceLinks
              label="Confidence"
              param="level"
              choices={[
                { value: 'all', text: 'All' },
                { value: 'sure', text: 'Almost certain' },
                { value: 'likely', text: 'Likely' },
                { value: 'perhaps', text: 'Possible' },
                { value: 'doubtful', text: 'Doubtful' },
              ]}
            />
          )}
        </div>
      )}
      {isHistory ? (
        <>
          <MergeHistory merges={merges.rows} batches={merges.page === 1 ? merges.batches : []} timeZone={timeZone} />
          <Pagination {...merges} noun="merge" />
        </>
      ) : (
        <>
          {list.total > 0 && <MergeAll preview={mergePreview} />}
          {list.rows.length === 0 ? (
            <NoGroups isSearched={search !== null} isRunning={isRunning} />
          ) : (
            <section aria-label="Groups" ref={container} onFocus={onFocus}>
              <p className="mb-2">
                <KeyboardShortcuts keys="J next, K previous, Enter compare, M merge" />
              </p>
              <ul className="grid gap-2">
                {list.rows.map((group, index) => {
                  const choice = choices[index]
                  return (
                    choice && (
                      <LikelyGroup
                        key={group.id}
                        group={group}
                        choices={choice}
                        refusal={group.refusal}
                        refused={refused}
                      />
                    )
                  )
                })}
              </ul>
            </section>
          )}
          <Pagination {...list} noun="group" />
        </>
      )}
    </>
  )
}

function NoGroups({ isSearched, isRunning }: { isSearched: boolean; isRunning: boolean }) {
  if (isRunning && !isSearched) return null
  if (isSearched) {
    return (
      <EmptyState title="There are no likely duplicates here">No groups are left at this confidence level.</EmptyState>
    )
  }
  return (
    <EmptyState title="This publication has not been searched yet">
      The search finds records of the same reader, even if names or addresses are misspelt, swapped, abbreviated or
      incomplete. A million readers take about a minute.
    </EmptyState>
  )
}
