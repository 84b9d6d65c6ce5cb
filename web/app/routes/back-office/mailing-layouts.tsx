import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { recordVersion } from '#core/kernel/record-version.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { encodingNames } from '#core/mailing/layout.rules.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { previewLayout } from '#core/mailing/preview-layout.query.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { removeLayout } from '#core/transfers/remove-layout.ts'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LayoutForm } from '#web/app/components/mailing/layout-form.tsx'
import { LayoutPreview } from '#web/app/components/mailing/layout-preview.tsx'
import {
  formLayout,
  isColumnIntent,
  layoutValues,
  withIntentApplied,
} from '#web/app/components/mailing/layout-values.ts'
import { RemoveLayout, RemoveLayoutConfirmation } from '#web/app/components/mailing/remove-layout.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { conflictIfGone, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationId, publicationName, edited }) => [
    { label: 'Readers', to: '/readers' },
    { label: publicationName, to: `/mailingfile/${publicationId}` },
    ...(edited
      ? [{ label: 'Mailing layouts', to: `/mailinglayouts/${publicationId}` }, { label: titleOf(edited) }]
      : [{ label: titleOf(null) }]),
  ],
}

function titleOf(edited: { was: string } | null): string {
  if (!edited) return 'Mailing layouts'
  return edited.was ? `Edit ${edited.was}` : 'Add layout'
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.isRefused ? 'Error: ' : ''}${titleOf(data?.edited ?? null)} – ${data?.publicationName ?? ''} – Masthead`,
  },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'mailingLayouts')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  const layouts = await listLayouts(ctx, { publicationId })
  const query = new URL(request.url).searchParams
  const isNew = query.has('new')
  const editedLayout = layouts.find(({ id, name }) => (isNew ? id === null : id !== null && name === query.get('edit')))
  return {
    publicationId,
    publicationName,
    layouts,
    edited: editedLayout
      ? {
          was: isNew ? '' : editedLayout.name,
          version: isNew ? '' : recordVersion(editedLayout),
          values: layoutValues(isNew ? '' : editedLayout.name, !isNew && editedLayout.isShared, editedLayout.layout),
        }
      : null,
    // Without JavaScript the question is part of the page.
    toRemove: layouts.flatMap(({ id, name, isShared }) =>
      id !== null && String(id) === query.get('remove') ? [{ id, name, isShared }] : [],
    )[0],
    isRefused: wasRefused(context),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'mailingLayouts')
  const publicationId = idParam(params.publicationId, 'The publication')
  await ownPublication(ctx, { id: publicationId })
  const values = await readForm(request)
  const list = `/mailinglayouts/${publicationId}`
  if (isColumnIntent(values.intent)) return { values: withIntentApplied(values, values.intent), preview: null }
  return submit(context, values, async () => {
    if (values.intent === 'remove') {
      const layout = (await listLayouts(ctx, { publicationId })).find(({ id }) => String(id) === values.id)
      if (!layout)
        return redirectWithToast(context, list, {
          kind: 'error',
          text: 'Layout not removed',
          detail: 'It no longer exists.',
        })
      const { name } = await removeLayout(ctx, { publicationId, name: layout.name })
      return redirectWithToast(context, list, { kind: 'success', text: `The layout ${name} was removed` })
    }
    const layout = formLayout(values)
    if (values.intent === 'preview') return { values, preview: await previewLayout(ctx, { publicationId, layout }) }
    const { name, isShared, version } = values
    // A page that was opened before a deployment names the stored layout by its address alone.
    const was = values.was ?? new URL(request.url).searchParams.get('edit') ?? ''
    const saved = await conflictIfGone(
      'This layout',
      'Somebody renamed or removed it. Save again to add yours as a new layout.',
      () => saveLayout(ctx, { publicationId, was, version, name, isShared, layout }),
    )
    const text = was ? 'Layout updated' : 'New layout added'
    return redirectWithToast(context, list, { kind: 'success', text, detail: saved.name })
  })
}

export default function MailingLayouts() {
  const { publicationId, publicationName, layouts, edited, toRemove } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const sent = actionData && 'values' in actionData ? actionData : undefined
  const typed = problem?.values ?? sent?.values
  const [query] = useSearchParams()
  const list = `/mailinglayouts/${publicationId}`
  // If another user has renamed or removed the layout, what was typed stays and can be saved as a new layout.
  if (edited || (typed && typed.intent !== 'remove')) {
    // It becomes a new layout only after a conflict, not after a preview of a removed layout.
    const hasConflict = problem?.keepsKeys === false
    const storedName = edited?.was ?? (hasConflict ? '' : (typed?.was ?? ''))
    return (
      <>
        <PageHeader title={titleOf({ was: storedName })} note={publicationName} />
        <LayoutForm
          key={query.get('edit')}
          values={typed ?? edited?.values ?? {}}
          problem={problem}
          storedName={storedName}
          // After a conflict it is the version that saving again replaces.
          version={(hasConflict ? undefined : typed?.version) ?? edited?.version ?? ''}
          listAddress={list}
        />
        {sent?.preview && <LayoutPreview preview={sent.preview} />}
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={titleOf(null)}
        note={`${publicationName}: the columns and format of its mailing files.`}
        actions={
          <LinkButton kind="primary" to="?new">
            Add layout
          </LinkButton>
        }
      />
      {problem && (
        <p role="alert" className="mb-4 text-body text-danger">
          {[problem.message, problem.hint].filter(Boolean).join('. ')}
        </p>
      )}
      {toRemove && <RemoveLayoutConfirmation layout={toRemove} />}
      <ul className="space-y-3">
        {layouts.map(({ id, name, isShared, layout }) => (
          <li key={name} className="card flex flex-wrap items-center justify-between gap-3 p-4">
            <div className="min-w-0">
              <h2 className="text-h3 wrap-anywhere">{name}</h2>
              <p className="text-body text-ink-2">
                {countOf(layout.columns.length, 'column')}, {encodingNames[layout.encoding]}
                {layout.isSplit && ', a file for each zone'}
              </p>
              <p className="text-table text-muted">
                {id === null
                  ? 'Built-in layout, used unless another one is chosen'
                  : isShared
                    ? 'For every publication'
                    : 'For this publication'}
              </p>
            </div>
            {id !== null && (
              <div className="flex flex-wrap gap-2">
                <LinkButton to={`?${new URLSearchParams({ edit: name })}`} aria-label={`Edit ${name}`}>
                  Edit
                </LinkButton>
                <RemoveLayout layout={{ id, name, isShared }} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-body">
        <Link to={`/mailingfile/${publicationId}`} className="link">
          Make a mailing file
        </Link>
      </p>
    </>
  )
}
