import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { isAppError } from '#core/kernel/errors.ts'
import { closeSignup } from '#core/signup/close-signup.ts'
import { getSignup } from '#core/signup/list-signups.query.ts'
import { refundSignup } from '#core/signup/refund-signup.ts'
import { registerSignup } from '#core/signup/register-signup.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { SignupBadge } from '#web/app/components/sign-up/signup-columns.tsx'
import {
  CloseSignupForm,
  GoneSignupProblem,
  RefundSignupForm,
  RegisterSignupForm,
} from '#web/app/components/sign-up/signup-forms.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Moment, Money } from '#web/app/components/ui/formats.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { outdatedForm, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

const titleOf = ({ signup: { companyName, name } }: Pick<Loaded, 'signup'>) => `Sign-up of ${companyName || name}`

export const handle: CrumbHandle<Loaded> = {
  crumbs: (loaded) => [{ label: 'Sign-ups', to: '/signups' }, { label: titleOf(loaded) }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${data ? titleOf(data as Loaded) : 'Sign-up'} – Masthead` },
]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'signUps')
  return {
    signup: await getSignup(ctx, { id: idParam(params.signupId, 'The sign-up') }),
    countries: countryChoices,
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'signUps')
  const id = idParam(params.signupId, 'The sign-up')
  const values = await readForm(request)
  const returnTo = `/signups/${id}`
  const result = await submit(context, values, async () => {
    if (values.intent === 'register') {
      const { publisher, isNew } = await registerSignup(ctx, { ...values, id })
      const text = isNew ? `${publisher.companyName} is registered` : 'This sign-up was already registered'
      const detail = isNew
        ? `The welcome email is on its way to ${publisher.email}.`
        : `Its publisher is ${publisher.companyName}, ${publisher.email}.`
      // A sign-up that was registered in the meantime is no longer listed.
      return redirectWithToast(context, isNew ? returnTo : '/signups', { kind: 'success', text, detail })
    }
    if (values.intent === 'close') {
      await closeSignup(ctx, { ...values, id })
      return redirectWithToast(context, returnTo, { kind: 'success', text: 'Marked as settled' })
    }
    if (values.intent !== 'refund') throw outdatedForm()
    const { state, problem } = await refundSignup(ctx, { id })
    if (state === 'refunded') return redirectWithToast(context, returnTo, { kind: 'success', text: 'Refunded' })
    if (state === 'refunding') {
      const detail = 'The request is repeated until the payment provider responds. Nothing is refunded twice.'
      return redirectWithToast(context, returnTo, { kind: 'success', text: 'The refund is on its way', detail })
    }
    return redirectWithToast(context, returnTo, { kind: 'error', text: 'Not refunded', detail: problem ?? '' })
  })
  if (!wasRefused(context) || (await isListed(ctx, id))) return result
  const detail = `This sign-up was registered in the meantime.${values.note ? ` (Note entered: ${values.note})` : ''}`
  return redirectWithToast(context, '/signups', { kind: 'error', text: 'Nothing was changed', detail })
}

/** Whether the sign-up still has a page. After its publisher has registered, it has none. */
async function isListed(ctx: StaffContext, id: number): Promise<boolean> {
  try {
    await getSignup(ctx, { id })
    return true
  } catch (error) {
    if (isAppError(error) && error.kind === 'notFound') return false
    throw error
  }
}

export default function SignUpDetails() {
  const { signup, countries, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const { status, settled, money, values } = signup
  return (
    <>
      <PageHeader
        title={
          <>
            {titleOf({ signup })} <SignupBadge {...signup} />
          </>
        }
        actions={<LinkButton to="/signups">Back to Sign-ups</LinkButton>}
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="space-y-4">
          <Section title={status ? 'Reason' : 'Outcome'}>
            {status && (
              <div className="space-y-2 text-body">
                <p>{status.why}</p>
                <p className="text-ink-2">{status.next}</p>
              </div>
            )}
            {settled && (
              <Facts>
                <Fact label="When">
                  <Moment at={settled.at} timeZone={timeZone} />
                </Fact>
                <Fact label="By">{settled.by}</Fact>
                {settled.note && (
                  <Fact label="Note" isWide>
                    {settled.note}
                  </Fact>
                )}
              </Facts>
            )}
          </Section>
          <Section title="Sign-up">
            <Facts>
              <Fact label="Company">{signup.companyName}</Fact>
              <Fact label="Name">{signup.name}</Fact>
              <Fact label="Email">{signup.email}</Fact>
              <Fact label="Plan">{signup.planName}</Fact>
              <Fact label="Amount">
                <Money value={money} /> {money.currency}
              </Fact>
              <Fact label="Paid">
                <Moment at={signup.paidAt} timeZone={timeZone} />
              </Fact>
              <Fact label="Started">
                <Moment at={signup.startedAt} timeZone={timeZone} />
              </Fact>
              <Fact label="Payment reference" isWide>
                {signup.paymentReference}
              </Fact>
              {signup.refundReference && (
                <Fact label="Refund reference" isWide>
                  {signup.refundReference}
                </Fact>
              )}
            </Facts>
          </Section>
        </div>
        <div className="space-y-4">
          {problem && <GoneSignupProblem status={status} problem={problem} />}
          {status?.canRegister && <RegisterSignupForm values={values} countries={countries} problem={problem} />}
          {status?.canRefund && (
            <RefundSignupForm
              money={money}
              name={values.companyName || signup.name}
              problem={problem}
              isRequested={!status.canClose}
            />
          )}
          {status?.canClose && <CloseSignupForm problem={problem} />}
        </div>
      </div>
    </>
  )
}
