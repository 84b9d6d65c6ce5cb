import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { countryName } from '#core/kernel/countries.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { promoMessages } from '#core/pricing/discount.rules.ts'
import { planKinds } from '#core/pricing/publisher-plans.rules.ts'
import { deleteSignupDraft } from '#core/signup/delete-signup-draft.ts'
import { payDraft } from '#core/signup/pay-draft.ts'
import { getSignupDraft } from '#core/signup/signup-draft.query.ts'
import { emailTaken } from '#core/signup/signup-problems.ts'
import { storeBillingStep } from '#core/signup/store-billing-step.ts'
import { storeCompanyStep } from '#core/signup/store-company-step.ts'
import { storePlanStep } from '#core/signup/store-plan-step.ts'
import { firstOpenStep, type WizardStep, wizardStepNames, wizardSteps } from '#core/signup/wizard-steps.rules.ts'
import { BillingStep } from '#web/app/components/sign-up/billing-step.tsx'
import { CompanyStep } from '#web/app/components/sign-up/company-step.tsx'
import { PayStep } from '#web/app/components/sign-up/pay-step.tsx'
import { PlanStep } from '#web/app/components/sign-up/plan-step.tsx'
import { SignUpClosed } from '#web/app/components/sign-up/sign-up-closed.tsx'
import { SignUpFrame } from '#web/app/components/sign-up/sign-up-frame.tsx'
import type { Refusal } from '#web/app/components/ui/form.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { draftCookie, draftToken, dropDraft } from '#web/app/http/sign-up-draft.ts'
import { signUpPath, stepPath } from '#web/app/http/sign-up-paths.ts'
import { siteMeta } from '#web/app/http/site-meta.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  ...siteMeta(data, {
    title: `Sign up${data ? `: ${wizardStepNames[data.step]}` : ''} – Masthead`,
    description: 'Sign up as a magazine publisher: enter your company, choose a plan and pay. It takes a few minutes.',
  }),
  ...(data?.step === 'company' && data.payment ? [] : [noIndex]),
]

function stepOf(name: string | undefined): WizardStep {
  const step = name === undefined ? 'company' : wizardSteps.find((key) => key === name)
  // The first step has only one address.
  if (!step || name === 'company') throw new Response('Not Found', { status: 404 })
  return step
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const step = stepOf(params.step)
  const query = new URL(request.url).searchParams
  const draft = await getSignupDraft(visitorContext(context), { token: draftToken(request, context) })
  // The browser returns from a successful payment.
  if (draft.signup === 'registered' || draft.signup === 'paid-unregistered') throw redirect('/success')
  if (wizardSteps.indexOf(step) > wizardSteps.indexOf(draft.openStep)) throw redirect(stepPath(draft.openStep))
  if (step === 'pay' && draft.isEmailTaken) throw redirect(`${signUpPath}?taken`)
  const { settings, postcodes } = context.services
  const { answers, quotes } = draft
  const kind = planKinds.find((key) => key === query.get('type')) ?? null
  return {
    step,
    url: settings.appUrl + stepPath(step),
    isRefused: wasRefused(context),
    openStep: draft.openStep,
    answers,
    hasPassword: draft.hasPassword,
    quotes,
    priceType: draft.priceType,
    payment: draft.payment,
    kind,
    countryName: countryName(answers?.company?.country ?? 'GB'),
    minLength: settings.passwordMinLength,
    contactEmail: settings.contactEmail,
    lookupPath: postcodes ? `${signUpPath}/addresses` : null,
    countries: step === 'billing' ? countryChoices : [],
    refusal: refusalFrom(step, query, draft.isEmailTaken),
  }
}

/** The error of this step that a later step or the payment has detected. */
function refusalFrom(step: WizardStep, query: URLSearchParams, isEmailTaken: boolean): Refusal | null {
  if (step === 'company' && isEmailTaken && query.has('taken'))
    return { message: emailTaken, fields: { email: emailTaken } }
  if (step === 'plan' && query.has('coupon'))
    return { message: promoMessages.invalid, fields: { code: promoMessages.invalid } }
  return null
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const step = stepOf(params.step)
  const isChange = new URL(request.url).searchParams.has('change')
  const ctx = visitorContext(context)
  const values = await readForm(request)
  const token = draftToken(request, context)
  if (values.intent === 'forget') {
    await deleteSignupDraft(ctx, { token })
    return redirect(signUpPath, { headers: { 'Set-Cookie': dropDraft(context) } })
  }
  if (step !== 'company' && !token) return redirect(signUpPath)
  const stepActions = {
    async company() {
      const stored = await storeCompanyStep(ctx, { ...values, token })
      return redirect(await nextPath(stored.token), { headers: { 'Set-Cookie': draftCookie(context, stored.token) } })
    },
    async billing() {
      const { isEmailTaken } = await storeBillingStep(ctx, { ...values, token })
      return redirect(isEmailTaken ? `${signUpPath}?taken` : await nextPath(token))
    },
    async plan() {
      await storePlanStep(ctx, { intent: 'next', ...values, token })
      // Shown again with the new price; the next step checks it.
      return redirect(
        (values.intent ?? 'next') === 'next' ? stepPath('pay') : `${stepPath('plan')}${isChange ? '?change' : ''}`,
      )
    },
    async pay() {
      const paid = await payDraft(ctx, { token, cardNumber: values.cardNumber })
      if (paid.next === 'step') return redirect(stepPath(paid.step))
      if (paid.next === 'pay') return redirect(stepPath('pay'))
      return redirect(successPath(paid.paymentIntentId))
    },
  } satisfies Record<WizardStep, () => Promise<Response>>
  try {
    return await submit(context, values, stepActions[step])
  } catch (error) {
    // The draft has expired: starts over.
    if (isAppError(error) && error.kind === 'notFound')
      return redirect(signUpPath, { headers: { 'Set-Cookie': dropDraft(context) } })
    throw error
  }

  /** After a change, back to the summary or to the first incomplete step. */
  async function nextPath(draft: string | null): Promise<string> {
    const { openStep, answers } = await getSignupDraft(ctx, { token: draft })
    if (isChange) return stepPath(openStep)
    const following = wizardSteps[wizardSteps.indexOf(step) + 1] ?? 'pay'
    const isOpen = wizardSteps.indexOf(following) <= wizardSteps.indexOf(firstOpenStep(answers))
    return stepPath(isOpen ? following : openStep)
  }
}

function successPath(paymentIntentId: string | null): string {
  return paymentIntentId === null
    ? '/success'
    : `/success?${new URLSearchParams({ payment_intent: paymentIntentId, redirect_status: 'succeeded' })}`
}

export default function SignUp() {
  const page = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>()) ?? page.refusal ?? undefined
  const { step, answers, payment } = page
  if (payment === null) return <SignUpClosed contactEmail={page.contactEmail} />
  const plan = answers?.plan ?? { kind: page.kind ?? 'standard', titles: 1 }
  const quote = page.quotes[plan.kind].find(({ titles }) => titles === plan.titles)
  return (
    <SignUpFrame step={step} openStep={page.openStep} hasDraft={answers !== null}>
      {step === 'company' && (
        <CompanyStep
          problem={problem}
          person={answers?.person ?? null}
          hasPassword={page.hasPassword}
          minLength={page.minLength}
          kind={page.kind}
        />
      )}
      {step === 'billing' && (
        <BillingStep
          problem={problem}
          company={answers?.company ?? null}
          countries={page.countries}
          lookupPath={page.lookupPath}
        />
      )}
      {step === 'plan' && (
        <PlanStep
          // Applying or removing a code resets the form. Storing the plan does not: it is stored with a refused code too, and typed values are kept.
          key={answers?.coupon?.id ?? ''}
          problem={problem}
          plan={plan}
          coupon={answers?.coupon ?? null}
          quotes={page.quotes}
          priceType={page.priceType}
          contactEmail={page.contactEmail}
          isDemo={payment === 'demo'}
        />
      )}
      {step === 'pay' && answers && quote && (
        <PayStep
          problem={problem}
          answers={answers}
          countryName={page.countryName}
          quote={quote}
          priceType={page.priceType}
          payment={payment}
        />
      )}
    </SignUpFrame>
  )
}
