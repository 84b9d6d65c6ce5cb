import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { landingPage } from '#core/access/user-types.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { getTwoStep } from '#core/users/get-two-step.query.ts'
import { makeRecoveryCodes } from '#core/users/make-recovery-codes.ts'
import { pendingTwoStep, startTwoStep, type TwoStepSetUp } from '#core/users/start-two-step.ts'
import { turnOffTwoStep } from '#core/users/turn-off-two-step.ts'
import { turnOnTwoStep } from '#core/users/turn-on-two-step.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PasswordAction } from '#web/app/components/two-step/password-action.tsx'
import { RecoveryCodes } from '#web/app/components/two-step/recovery-codes.tsx'
import { SetUp } from '#web/app/components/two-step/set-up.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { ErrorSummary } from '#web/app/components/ui/error-summary.tsx'
import { Fact, Facts, Section } from '#web/app/components/ui/facts.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { withFieldNamed } from '#web/app/http/account-form.ts'
import { outdatedForm, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { qrCode } from '#web/app/http/qr-code.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { sessionToken } from '#web/app/http/session.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'My Account', to: '/account' }, { label: 'Two-step log-in' }],
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.isRefused ? 'Error: ' : ''}Two-step log-in – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'twoStep')
  return {
    twoStep: await getTwoStep(ctx, {}),
    home: landingPage(ctx.actor.userType),
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'twoStep')
  const values = await readForm(request)
  const currentSession = sessionToken(request, context)
  const submitted = await submit(context, values, () => perform(ctx, values, currentSession))
  if (submitted === 'off') {
    return redirectWithToast(context, '/account/two-step', { kind: 'success', text: 'Two-step log-in is off' })
  }
  // After a wrong first code the QR code is needed again.
  if ('init' in submitted && values.intent === 'turn-on') {
    const pending = await pendingTwoStep(ctx)
    return data(
      { ...submitted.data, ...(pending && { setUp: await withQrCode(pending) }) },
      submitted.init ?? undefined,
    )
  }
  return submitted
}

/** The action of each form. Secret and codes are returned only in the response to a form: no address shows them again. */
async function perform(ctx: StaffContext, values: Record<string, string>, currentSession: string | undefined) {
  switch (values.intent) {
    case 'begin':
      return { setUp: await withQrCode(await startTwoStep(ctx, { currentPassword: values.currentPassword })) }
    case 'turn-on':
      return { codes: (await turnOnTwoStep(ctx, { code: values.code, sessionToken: currentSession })).recoveryCodes }
    case 'new-codes':
      return withFieldNamed('currentPassword', 'codesPassword', async () => ({
        codes: (await makeRecoveryCodes(ctx, { currentPassword: values.codesPassword })).recoveryCodes,
      }))
    case 'turn-off':
      return withFieldNamed('currentPassword', 'offPassword', async () => {
        await turnOffTwoStep(ctx, { currentPassword: values.offPassword, sessionToken: currentSession })
        return 'off' as const
      })
    default:
      throw outdatedForm()
  }
}

async function withQrCode({ link, typed }: TwoStepSetUp): Promise<{ picture: string; typed: string }> {
  return { picture: await qrCode(link), typed }
}

export default function TwoStep() {
  const { twoStep, home, timeZone } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const setUp = actionData && typeof actionData === 'object' && 'setUp' in actionData ? actionData.setUp : undefined
  const codes = actionData && typeof actionData === 'object' && 'codes' in actionData ? actionData.codes : undefined
  return (
    <div className="max-w-3xl">
      <PageHeader title="Two-step log-in" note="You log in with your password and a code from your phone." />
      <div className="space-y-5">
        {problem?.values.intent === 'turn-on' && !setUp && (
          <ErrorSummary refusal={problem} message="Two-step log-in was not turned on" hint={problem.message} />
        )}
        {codes ? (
          <RecoveryCodes codes={codes} next={{ to: home, label: 'I have saved them: continue' }} />
        ) : setUp && !twoStep.since ? (
          <SetUp {...setUp} problem={problem} />
        ) : twoStep.since ? (
          <TwoStepOn {...twoStep} since={twoStep.since} timeZone={timeZone} problem={problem} />
        ) : (
          <TwoStepOff isRequired={twoStep.isRequired} problem={problem} />
        )}
      </div>
    </div>
  )
}

type Problem = ReturnType<typeof problemOf>

function TwoStepOff({ isRequired, problem }: { isRequired: boolean; problem: Problem }) {
  return (
    <>
      {isRequired && (
        <Banner tone="warning" title="Set this up to continue">
          This installation requires two-step log-in for your role.
        </Banner>
      )}
      <Section title="Two-step log-in is off" action={<Badge>Off</Badge>}>
        <div className="space-y-4">
          <p className="max-w-2xl text-body text-ink-2">
            With two-step log-in, someone who learns your password still cannot log in: you also enter a six-digit code
            from an authenticator app on your phone, or from your password manager. You also get ten recovery codes for
            when you do not have your phone with you. Setting it up logs out your other sessions.
          </p>
          <PasswordAction
            intent="begin"
            name="currentPassword"
            label="Set up two-step log-in"
            kind="primary"
            problem={problem}
          />
        </div>
      </Section>
    </>
  )
}

interface TwoStepOnProps {
  since: Date
  codesLeft: number
  isRequired: boolean
  timeZone: string
  problem: Problem
}

function TwoStepOn({ since, codesLeft, isRequired, timeZone, problem }: TwoStepOnProps) {
  return (
    <>
      <Section title="Two-step log-in is on" action={<Badge tone="success">On</Badge>}>
        <Facts>
          <Fact label="Since">
            <Moment at={since} timeZone={timeZone} />
          </Fact>
          <Fact label="Recovery codes left">{countOf(codesLeft, 'code')}</Fact>
        </Facts>
      </Section>
      {codesLeft <= 3 && (
        <Banner tone="warning" title={codesLeft === 0 ? 'No recovery codes are left' : 'Few recovery codes are left'}>
          Create new ones below: without them and without your phone you cannot log in.
        </Banner>
      )}
      <Section title="New recovery codes">
        <p className="mb-4 text-body text-ink-2">You get ten new ones; the old ones stop working.</p>
        <PasswordAction
          intent="new-codes"
          name="codesPassword"
          label="Create new recovery codes"
          kind="secondary"
          problem={problem}
        />
      </Section>
      <Section title="Turn off">
        {isRequired ? (
          <p className="text-body text-ink-2">
            Two-step log-in cannot be turned off: this installation requires it for your role.
          </p>
        ) : (
          <>
            <p className="mb-4 text-body text-ink-2">
              After that, your password alone lets you in. Your other sessions are logged out.
            </p>
            <PasswordAction
              intent="turn-off"
              name="offPassword"
              label="Turn off two-step log-in"
              kind="danger"
              problem={problem}
            />
          </>
        )}
      </Section>
    </>
  )
}
