import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { logInPage } from '#core/access/user-types.ts'
import { checkReset } from '#core/users/check-reset.ts'
import { resetPassword } from '#core/users/reset-password.ts'
import { BadLink, PasswordSet, ResetForm } from '#web/app/components/forms/reset-form.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { leaveSession, visitorContext } from '#web/app/http/session.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${headingFor(data?.link?.purpose)} – Masthead` },
  noIndex,
]

const headingFor = (purpose: string | undefined) =>
  purpose === 'invitation' ? 'Welcome to Masthead' : 'Choose a new password'

export async function loader({ params, context }: LoaderFunctionArgs) {
  return {
    link: await checkReset(visitorContext(context), { token: params.token }),
    minLength: context.services.settings.passwordMinLength,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { password = '', password2 = '' } = await readForm(request)
  return submit(context, {}, async () => {
    const { userType, purpose } = await resetPassword(visitorContext(context), {
      token: params.token,
      password,
      password2,
    })
    // "Log in" asks for this account's password also if somebody else was logged in with this browser.
    const headers = { 'Set-Cookie': await leaveSession(request, context) }
    return data({ loginPage: logInPage(userType), isFirst: purpose === 'invitation' }, { headers })
  })
}

export default function Reset() {
  const { link, minLength } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const isDone = actionData && 'loginPage' in actionData
  const isWelcome = link?.purpose === 'invitation'
  return (
    <PublicFrame>
      <div className="mx-auto w-full max-w-sm py-12 md:py-20">
        <h1 className={`font-serif text-public-h2 ${link && !isDone ? 'mb-3' : 'mb-6'}`}>
          {isDone ? 'Your password is set' : headingFor(link?.purpose)}
        </h1>
        {isDone ? (
          <PasswordSet loginPage={actionData.loginPage} isFirst={actionData.isFirst} />
        ) : link ? (
          <>
            <p className="mb-6 text-body text-ink-2">
              {isWelcome && `${link.firstName ? `Hello ${link.firstName}. ` : ''}Choose a password to begin. `}
              {isWelcome ? 'You log in with ' : 'For the account '}
              <strong className="wrap-anywhere text-ink">{link.email}</strong>
              {isWelcome && ' and that password'}.
            </p>
            <ResetForm email={link.email} isFirst={isWelcome} minLength={minLength} problem={problemOf(actionData)} />
          </>
        ) : (
          <BadLink />
        )}
      </div>
    </PublicFrame>
  )
}
