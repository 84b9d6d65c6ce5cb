import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CodeForm } from '#web/app/components/forms/code-form.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { handleLogInCodeForm, loadLogInCode } from '#web/app/http/log-in.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Two-step log-in – Masthead` },
  noIndex,
]

export function loader({ request, context }: LoaderFunctionArgs) {
  return loadLogInCode(request, context)
}

export function action({ request, context }: ActionFunctionArgs) {
  return handleLogInCodeForm(request, context)
}

export default function LogInCode() {
  const { startAgain } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <PublicFrame>
      <div className="mx-auto w-full max-w-sm py-12 md:py-20">
        <h1 className="mb-3 font-serif text-public-h2">Two-step log-in</h1>
        <p className="mb-6 text-body text-ink-2">Your password is correct. One more step confirms that it is you.</p>
        <CodeForm logInPath={startAgain} problem={problem} />
        <p className="mt-5 text-body text-ink-2">
          No phone or recovery codes at hand? Ask the person who manages your account to turn two-step log-in off for
          you.
        </p>
      </div>
    </PublicFrame>
  )
}
