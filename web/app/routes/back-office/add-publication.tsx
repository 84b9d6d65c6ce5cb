import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { getPublicationDraft } from '#core/publications/get-publication-draft.query.ts'
import { getTitleQuota } from '#core/publications/get-title-quota.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PublicationWizard } from '#web/app/components/publications/publication-wizard.tsx'
import { QuotaMet } from '#web/app/components/publications/quota-met.tsx'
import { wizardTitle } from '#web/app/components/publications/wizard-steps.ts'
import { handleWizardForm } from '#web/app/http/handle-wizard-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { loadWizard } from '#web/app/http/publication-wizard.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Publications', to: '/publications' }, { label: 'Add publication' }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.page ? wizardTitle(data.page, 'Add publication') : 'Publication Quota Met – Masthead' },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPublication')
  const quota = await getTitleQuota(ctx, {})
  if (!quota.isMet) return { page: await loadWizard(ctx, request, 0, params.step) }
  return { quota, hasDraft: (await getPublicationDraft(ctx, {})) !== null }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPublication')
  return handleWizardForm(request, context, ctx, 0, params.step)
}

export default function AddPublication() {
  const loaded = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  if (loaded.page) return <PublicationWizard page={loaded.page} problem={problem} />
  return (
    <>
      <PageHeader title="Add publication" />
      <QuotaMet {...loaded.quota} hasDraft={loaded.hasDraft} />
    </>
  )
}
