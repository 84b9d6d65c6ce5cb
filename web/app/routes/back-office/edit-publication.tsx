import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PublicationWizard } from '#web/app/components/publications/publication-wizard.tsx'
import { wizardTitle } from '#web/app/components/publications/wizard-steps.ts'
import { handleWizardForm } from '#web/app/http/handle-wizard-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { loadWizard, type WizardPage } from '#web/app/http/publication-wizard.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle<{ page: WizardPage }> = {
  crumbs: ({ page }) => [
    { label: 'Publications', to: '/publications' },
    { label: `Edit ${page.publication?.publicationName ?? ''}` },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? wizardTitle(data.page, `Edit ${data.page.publication?.publicationName}`) : 'Masthead' },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editPublication')
  return { page: await loadWizard(ctx, request, idParam(params.publicationId, 'The publication'), params.step) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editPublication')
  return handleWizardForm(request, context, ctx, idParam(params.publicationId, 'The publication'), params.step)
}

export default function EditPublication() {
  const { page } = useLoaderData<typeof loader>()
  return <PublicationWizard page={page} problem={problemOf(useActionData<typeof action>())} />
}
