import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { checkSender } from '#core/senders/check-sender.ts'
import { getSender, type SenderView } from '#core/senders/get-sender.query.ts'
import { confirmSender, saveSender, sendSenderLink } from '#core/senders/save-sender.ts'
import { SenderRecords } from '#web/app/components/emails/sender-records.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Sender address'
const path = '/emailtemplates/sender'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Email templates', to: '/emailtemplates' }, { label: title }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'sender')
  return {
    sender: await getSender(ctx, {}),
    // From the emailed link. Opening it changes nothing, because link scanners open all links.
    token: new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? null,
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'sender')
  const values = await readForm(request)
  const redirectBack = (text: string) => redirectWithToast(context, path, { kind: 'success', text })
  return submit(context, values, async () => {
    if (values.intent === 'link') return redirectBack(`A link is on its way to ${(await sendSenderLink(ctx, {})).to}`)
    if (values.intent === 'confirm') return redirectBack(`${(await confirmSender(ctx, values)).address} is confirmed`)
    if (values.intent === 'check') {
      const { isAnswered } = await checkSender(ctx, {})
      if (isAnswered) return redirectBack('DNS records checked')
      const text = 'DNS did not respond. Please try again in a moment.'
      return redirectWithToast(context, path, { kind: 'error', text })
    }
    const { isLinkSent } = await saveMerged(values, {
      read: () => getSender(ctx, {}),
      valuesOf: senderValues,
      save: (merged, basedOn) => saveSender(ctx, { ...merged, basedOn }),
    })
    return redirectBack(isLinkSent ? 'Sender saved. A link is on its way to the new address' : 'Sender saved')
  })
}

export default function SenderPage() {
  const { sender, token, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note="The sender of the emails to your readers. It applies to all your publications; emails to you and your staff do not change."
      />
      <div className="max-w-3xl space-y-4">
        {token !== null && sender.state === 'unverified' && <Confirm token={token} problem={problem} />}
        {token !== null && sender.state === 'none' && (
          <Banner tone="warning" title="There is nothing to confirm">
            The link that you opened is for a sender address that was removed since, or that another publisher entered.
          </Banner>
        )}
        <State sender={sender} problem={problem} timeZone={timeZone} />
        <Section title="Sender">
          <SenderForm
            key={`${sender.senderName} ${sender.address} ${sender.replyTo}`}
            sender={sender}
            problem={problem}
          />
        </Section>
        {sender.address !== '' && (
          <Section title="DNS records">
            <SenderRecords sender={sender} timeZone={timeZone}>
              <CheckAgain problem={problem} />
            </SenderRecords>
          </Section>
        )}
      </div>
    </>
  )
}

interface PartProps {
  sender: SenderView
  problem: Refusal | undefined
}

function State({ sender, problem, timeZone }: PartProps & { timeZone: string }) {
  const { state, senderName, address, lostAt, isLinkOpen } = sender
  if (state === 'none')
    return (
      <Banner>
        Emails are sent from this installation’s address, in the name of {senderName || 'each publication'}. Enter an
        address at your own domain to send from it.
      </Banner>
    )
  if (state === 'active') return <Banner tone="success" title={`Emails to your readers are sent from ${address}`} />
  const fallbackNote =
    'Until then emails are sent from this installation’s address, with your name and reply-to address.'
  if (state === 'unverified')
    return (
      <Banner tone="warning" title={`${address} is not confirmed yet`}>
        <p>
          {isLinkOpen ? 'Open the link that we emailed to it.' : 'To confirm it, send a new link and open it.'}{' '}
          {fallbackNote}
        </p>
        <ButtonForm intent="link" label="Send a new link" failure="Link not sent" problem={problem} />
      </Banner>
    )
  if (state === 'refused')
    return (
      <Banner tone="danger" title={`The mail server refuses ${address} as a sender`}>
        <p>
          Its response was: “{sender.refusedAnswer}”. Your DNS records are not the cause. Emails are sent from this
          installation’s address, with your name and reply-to address. Once the operator of the mail server has allowed
          the address, press “Check again” below. Emails are then sent from it.
        </p>
      </Banner>
    )
  return state === 'lost' ? (
    <Banner tone="danger" title={`Emails are no longer sent from ${address}`}>
      The DKIM record has been missing or wrong since {lostAt && <Moment at={lostAt} timeZone={timeZone} />}. Restore it
      as shown below. {fallbackNote}
    </Banner>
  ) : (
    <Banner tone="warning" title={`${address} is confirmed. Its DKIM record was not found yet`}>
      Add the record below where your domain’s DNS is managed. We check every hour. {fallbackNote}
    </Banner>
  )
}

function senderValues({ senderName, address, replyTo }: SenderView): Record<string, string> {
  return { senderName, address, replyTo }
}

function SenderForm({ sender, problem }: PartProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'save' },
    labels: { senderName: 'Sender name', address: 'Sender address', replyTo: 'Reply-to address' },
    values: senderValues(sender),
    isMerged: true,
    failure: 'Sender not saved',
    isRestorable: true,
  })
  return (
    <Form form={form} className="space-y-4">
      <TextField
        name="senderName"
        maxLength={100}
        hint="The name that readers see in their inbox. Leave blank to use the publication’s name."
      />
      <TextField
        name="address"
        type="email"
        maxLength={254}
        hint="An address at a domain whose DNS you manage. We email a confirmation link to a new address. Leave blank to use this installation’s address."
      />
      <TextField
        name="replyTo"
        type="email"
        maxLength={254}
        hint="The address that replies go to. Leave blank to use the publication’s email address."
      />
      <FormButtons>
        <SubmitButton>Save sender</SubmitButton>
      </FormButtons>
    </Form>
  )
}

function Confirm({ token, problem }: { token: string; problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'confirm' },
    hidden: { token },
    failure: 'Address not confirmed',
  })
  return (
    <Section title="Confirm the address">
      <Form form={form} className="space-y-4">
        <p className="text-body text-ink-2">You have opened the link that was emailed to the sender address.</p>
        <SubmitButton>Confirm the address</SubmitButton>
      </Form>
    </Section>
  )
}

function CheckAgain({ problem }: { problem: Refusal | undefined }) {
  return <ButtonForm intent="check" label="Check again" failure="DNS records not checked" problem={problem} />
}

function ButtonForm({
  intent,
  label,
  failure,
  problem,
}: {
  intent: string
  label: string
  failure: string
  problem: Refusal | undefined
}) {
  const form = useForm({ problem, identifiedBy: { intent }, failure })
  return (
    <Form form={form} className="mt-3">
      <SubmitButton kind="secondary">{label}</SubmitButton>
    </Form>
  )
}
