import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import { errorKinds } from '#core/kernel/errors.ts'
import { BackIssueForm } from '#web/app/components/back-issues/back-issue-form.tsx'
import { storedIssueValues } from '#web/app/components/back-issues/back-issue-values.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { submit, wasRefused } from '#web/app/http/form.ts'
import { readImageForm } from '#web/app/http/image-form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { withCover } from '#web/app/http/with-cover.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ issue }) => [{ label: 'Single & Back Issues', to: '/backIssues' }, { label: `Edit ${issue.volume}` }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Edit ${data?.issue.volume ?? 'back issue'} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editBackIssue')
  const issue = await getBackIssue(ctx, { id: idParam(params.backIssueId, 'The back issue') })
  return { issue, isRefused: wasRefused(context) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editBackIssue')
  const { id } = await getBackIssue(ctx, { id: idParam(params.backIssueId, 'The back issue') })
  const form = await readImageForm(request)
  const submitted = await submit(context, form.values, async () => {
    const values = await withCover(ctx, form)
    // Copies are sold meanwhile: the stock is compared where it is written.
    const { stock } = values
    await saveMerged(values, {
      read: () => getBackIssue(ctx, { id }),
      valuesOf: storedIssueValues,
      save: (merged, basedOn) => updateBackIssue(ctx, { ...merged, stock, id, basedOn }),
    })
    return redirectWithToast(context, '/backIssues', { kind: 'success', text: 'The Back Issue has updated' })
  })
  if (submitted instanceof Response) return submitted
  // The message of a conflict names the stock that is left after sales, and the next attempt is compared with that number. After any other
  // refusal it is compared with the stock that the form was opened with.
  if (submitted.init?.status !== errorKinds.conflict.status) return submitted
  const { stock = '' } = storedIssueValues(await getBackIssue(ctx, { id }))
  return data({ ...submitted.data, stockNow: stock }, submitted.init ?? undefined)
}

export default function EditBackIssue() {
  const { issue } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const stored = storedIssueValues(issue)
  return (
    <>
      <PageHeader title={`Edit ${issue.volume}`} note={issue.publicationName} />
      <BackIssueForm
        values={problem?.values ?? stored}
        problem={problem}
        publications={null}
        stockBefore={
          actionData && 'stockNow' in actionData
            ? actionData.stockNow
            : (problem?.values.stockBefore ?? stored.stock ?? '')
        }
      />
    </>
  )
}
