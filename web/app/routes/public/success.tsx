import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, useLoaderData, useLocation } from '@remix-run/react'
import { type SignupOutcome, signupOutcome } from '#core/signup/signup-outcome.ts'
import { MagazineStack, Postmark } from '#web/app/components/landing/artwork.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { usePolling } from '#web/app/components/ui/use-polling.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { draftToken } from '#web/app/http/sign-up-draft.ts'
import { signUpPath, stepPath } from '#web/app/http/sign-up-paths.ts'

type State = SignupOutcome['state']

const titles: Record<State, string> = {
  registered: 'Thank you for signing up',
  paid: 'Thank you: your account is on its way',
  processing: 'Your payment is being processed',
  unpaid: 'The payment did not go through',
  refund: 'We could not set up your account',
  unknown: 'We cannot find this payment',
  none: 'No sign-up in this browser',
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? titles[data.state] : 'Sign up'} – Masthead` },
  noIndex,
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams
  const outcome = await signupOutcome(visitorContext(context), {
    token: draftToken(request, context),
    paymentIntentId: params.get('payment_intent'),
    clientSecret: params.get('payment_intent_client_secret'),
  })
  return { ...outcome, contactEmail: context.services.settings.contactEmail }
}

const pollMs = 3000
const maxPolls = 10

/** Polls for half a minute. */
const interval = (polls: number) => (polls < maxPolls ? pollMs : null)

const tones = {
  registered: 'success',
  paid: 'success',
  processing: 'info',
  unpaid: 'danger',
  refund: 'warning',
  unknown: 'danger',
  none: 'info',
} as const satisfies Record<State, string>

export default function Success() {
  const { state, text, email, contactEmail } = useLoaderData<typeof loader>()
  // The address names the payment, for a browser other than the one that signed up.
  const { search } = useLocation()
  const isOpen = state === 'processing' || state === 'paid'
  usePolling(isOpen, interval)
  return (
    <PublicFrame>
      <div className="mx-auto grid max-w-[69rem] items-start gap-x-16 gap-y-12 py-12 md:py-20 lg:grid-cols-[minmax(0,36rem)_minmax(0,1fr)]">
        <div>
          <h1 className="font-serif text-store-h1 md:text-landing">{titles[state]}</h1>
          <div role="status" className="mt-6">
            {text !== '' && <Banner tone={tones[state]}>{text}</Banner>}
          </div>
          <div className="mt-5 space-y-4 text-input">
            <StateText state={state} email={email} contactEmail={contactEmail} />
          </div>
          <div className="mt-8 flex flex-wrap gap-3">
            {state === 'unpaid' && (
              <LinkButton to={stepPath('pay')} reloadDocument kind="primary" size="large">
                Try again
              </LinkButton>
            )}
            {(state === 'none' || state === 'refund') && (
              <LinkButton to="/signup" reloadDocument kind="primary" size="large">
                Sign up
              </LinkButton>
            )}
            {isOpen && (
              <LinkButton to={`/success${search}`} reloadDocument size="large">
                Check again
              </LinkButton>
            )}
            <LinkButton to="/login" kind={state === 'registered' ? 'primary' : 'secondary'} size="large">
              Log in
            </LinkButton>
          </div>
          {state === 'registered' && (
            <Form method="post" action={signUpPath} className="mt-6">
              <button type="submit" name="intent" value="forget" className="link text-body">
                Sign up another company
              </button>
            </Form>
          )}
        </div>
        {state === 'registered' || state === 'paid' ? (
          <NextSteps />
        ) : (
          <MagazineStack className="mx-auto w-64 max-lg:hidden" />
        )}
      </div>
    </PublicFrame>
  )
}

const nextSteps = [
  { title: 'Log in', text: 'With the email and password from step 1.' },
  { title: 'Add your first title', text: 'Name, cover and prices: its storefront opens when you submit it.' },
  { title: 'Connect your payments', text: 'Stripe, PayPal or Secure Trading: what readers pay goes straight to you.' },
  { title: 'Import your readers', text: 'Any CSV will do. You see what would change before it is imported.' },
]

/** First steps of a new publisher. */
function NextSteps() {
  return (
    <section aria-labelledby="next" className="relative rounded-dialog bg-tint-sand p-6 md:p-8">
      <Postmark className="absolute -top-8 right-4 w-28 -rotate-6 text-accent md:-top-6 md:w-44" />
      <h2 id="next" className="font-serif text-h2">
        What comes next
      </h2>
      <ol className="mt-5 divide-y divide-ink/15 border-y border-ink/15">
        {nextSteps.map(({ title, text }, index) => (
          <li key={title} className="grid grid-cols-[2rem_1fr] py-4">
            <span aria-hidden="true" className="numeric font-serif text-h3 font-semibold text-primary">
              {index + 1}
            </span>
            <div>
              <h3 className="text-input">{title}</h3>
              <p className="mt-1 text-body text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-5 text-body">
        <Link to="/howto" className="link">
          How it works, in 13 steps
        </Link>
      </p>
    </section>
  )
}

function StateText({ state, email, contactEmail }: { state: State; email: string | null; contactEmail: string }) {
  const help = (
    <a href={`mailto:${contactEmail}`} className="link">
      {contactEmail}
    </a>
  )
  switch (state) {
    case 'registered':
      return (
        <>
          <p>
            We have sent a confirmation email with instructions to <strong className="wrap-anywhere">{email}</strong>.
            You can log in now, with that email and the password you chose.
          </p>
          <p className="text-ink-2">
            Not there yet? Check your junk folder. It may take an hour when mail servers are busy; there is no need to
            wait. If nothing arrives, write to {help}.
          </p>
        </>
      )
    case 'paid':
      return (
        <>
          <p>
            Your account is being set up. A confirmation email with instructions will be sent to{' '}
            <strong className="wrap-anywhere">{email}</strong> as soon as it is ready.
          </p>
          <p className="text-ink-2">
            Nothing is lost, and there is no need to pay again. If it takes more than an hour, write to {help}.
          </p>
        </>
      )
    case 'processing':
      return (
        <p>
          As soon as the bank approves it, your account is set up and a confirmation email with instructions is sent to{' '}
          <strong className="wrap-anywhere">{email}</strong>. You can close this page, and there is no need to pay
          again.
        </p>
      )
    case 'unpaid':
      return <p>No money was taken. Everything you entered is saved.</p>
    case 'refund':
      return (
        <p>
          The payment came through, but there is no account for it: <strong className="wrap-anywhere">{email}</strong>{' '}
          already has one, or you chose another plan before you paid. We are refunding the payment. If you would like an
          account with another email, or have a question, write to {help}.
        </p>
      )
    case 'unknown':
      return (
        <>
          <p>
            We have no record of this payment in this browser. If you have paid, nothing is lost: your account is set up
            without this page, and a confirmation email with instructions is on its way.
          </p>
          <p className="text-ink-2">If it does not arrive within an hour, write to {help}.</p>
        </>
      )
    case 'none':
      return <p>Sign up in a few minutes, or log in if you have an account.</p>
  }
}
