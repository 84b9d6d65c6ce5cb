import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData } from '@remix-run/react'
import { invalid } from '#core/kernel/errors.ts'
import { passwordTexts } from '#core/sessions/password-texts.rules.ts'
import { requestReset } from '#core/users/request-reset.ts'
import { ForgotForm, LinkSent } from '#web/app/components/forms/forgot-form.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { visitorContext } from '#web/app/http/session.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Forgotten password – Masthead` },
  noIndex,
]

export function loader({ context }: LoaderFunctionArgs) {
  return { isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { isKnown } = await requestReset(visitorContext(context), { email: values.email, captcha: values.captcha })
    if (!isKnown) throw invalid({ email: passwordTexts.unknownUser }, passwordTexts.unknownUser)
    return { sentTo: values.email?.trim() ?? '', requestId: context.requestId }
  })
}

export default function Forgot() {
  const actionData = useActionData<typeof action>()
  const sent = actionData && 'sentTo' in actionData ? actionData : undefined
  return (
    <PublicFrame>
      <div className="mx-auto w-full max-w-sm py-12 md:py-20">
        <h1 className="mb-6 font-serif text-public-h2">Forgotten password</h1>
        {sent ? <LinkSent key={sent.requestId} email={sent.sentTo} /> : <ForgotForm problem={problemOf(actionData)} />}
      </div>
    </PublicFrame>
  )
}
