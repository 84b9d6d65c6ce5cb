import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { LogInForm } from '#web/app/components/forms/log-in-form.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { handleLogInForm, loadLogIn } from '#web/app/http/log-in.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Superuser log-in – Masthead` },
  noIndex,
]

export function loader({ request, context }: LoaderFunctionArgs) {
  return loadLogIn(request, context)
}

export function action({ request, context }: ActionFunctionArgs) {
  return handleLogInForm(request, context, 'super')
}

export default function SuperLogIn() {
  const { reason } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <PublicFrame>
      <LogInForm title="Superuser log-in" reason={reason} problem={problem} />
    </PublicFrame>
  )
}
