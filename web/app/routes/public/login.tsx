import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { LogInForm } from '#web/app/components/forms/log-in-form.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { handleLogInForm, loadLogIn } from '#web/app/http/log-in.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { signedUpEmail } from '#web/app/http/sign-up-draft.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Publisher log-in – Masthead` },
  noIndex,
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const page = await loadLogIn(request, context)
  const email = await signedUpEmail(request, context)
  return { ...page, email }
}

export function action({ request, context }: ActionFunctionArgs) {
  return handleLogInForm(request, context, 'staff')
}

export default function LogIn() {
  const { reason, email } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <PublicFrame>
      <LogInForm title="Publisher log-in" reason={reason} email={email} problem={problem} />
    </PublicFrame>
  )
}
