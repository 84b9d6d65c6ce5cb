import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { BackIssueForm } from '#web/app/components/back-issues/back-issue-form.tsx'
import { NoPublicationSells } from '#web/app/components/back-issues/no-publication-sells.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { submit, wasRefused } from '#web/app/http/form.ts'
import { readImageForm } from '#web/app/http/image-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { withCover } from '#web/app/http/with-cover.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Single & Back Issues', to: '/backIssues' }, { label: 'Add back issue' }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add back issue – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addBackIssue')
  const publications = await listPublications(ctx, { sellsBackIssues: true })
  return {
    publications: publications.map(({ id, publicationName }) => ({ id, publicationName })),
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addBackIssue')
  const form = await readImageForm(request)
  return submit(context, form.values, async () => {
    await createBackIssue(ctx, await withCover(ctx, form))
    return redirectWithToast(context, '/backIssues', { kind: 'success', text: 'New Back Issue added' })
  })
}

export default function AddBackIssue() {
  const { publications } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader title="Add back issue" note="An issue that is sold by the copy, without a subscription" />
      {publications.length === 0 ? (
        <NoPublicationSells />
      ) : (
        <BackIssueForm values={problem?.values ?? {}} problem={problem} publications={publications} />
      )}
    </>
  )
}
