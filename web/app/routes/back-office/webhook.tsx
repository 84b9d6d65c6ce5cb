import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { formatCount } from '#core/kernel/text-format.ts'
import {
  changeWebhook,
  pauseWebhook,
  removeWebhook,
  replaceWebhookSecret,
  replayWebhooks,
  resumeWebhook,
  sendTestWebhook,
} from '#core/webhooks/change-webhooks.ts'
import { getWebhook, loggedStates, loggedTypes } from '#core/webhooks/list-webhooks.query.ts'
import { ownWebhook } from '#core/webhooks/own-webhook.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { ConfirmButton } from '#web/app/components/ui/confirm-button.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { DeliveryLog } from '#web/app/components/webhooks/delivery-log.tsx'
import { WebhookForm } from '#web/app/components/webhooks/webhook-form.tsx'
import { WebhookSecret } from '#web/app/components/webhooks/webhook-secret.tsx'
import { checkedEvents, webhookValues } from '#web/app/components/webhooks/webhook-values.ts'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { searchParams } from '#web/app/http/list-params.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { ownAddress } from '#web/app/http/user-actions.ts'

const list = '/thirdparty/webhooks'

export const handle: CrumbHandle = {
  crumbs: () => [
    { label: 'Third Party API', to: '/thirdparty' },
    { label: 'Webhooks', to: list },
    { label: 'Webhook' },
  ],
}

export const meta: MetaFunction = () => [{ title: 'Webhook – Masthead' }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'webhook')
  const { state, type, before = '' } = searchParams(request)
  const webhookId = idParam(params.webhookId, 'The webhook')
  return {
    // A wrong filter in an address is left out, as in every list.
    webhook: await getWebhook(ctx, {
      webhookId,
      state: loggedStates.find((known) => known === state),
      type: loggedTypes.find((known) => known === type),
      before: /^\d{1,15}$/.test(before) ? before : undefined,
    }),
    timeZone: ctx.settings.timeZone,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'webhook')
  const webhookId = idParam(params.webhookId, 'The webhook')
  const values = await readForm(request)
  // With the filter and the page of the deliveries.
  const deliveryLogPage = ownAddress(request)
  const redirectBack = (text: string, to = `${list}/${webhookId}`) =>
    redirectWithToast(context, to, { kind: 'success', text })
  return submit(context, values, async () => {
    // Authorises before validating the form.
    await ownWebhook(ctx, webhookId)
    switch (values.intent) {
      case 'change':
        await saveMerged(values, {
          read: () => getWebhook(ctx, { webhookId }),
          valuesOf: webhookValues,
          save: (merged, basedOn) => {
            const { url, description } = merged
            return changeWebhook(ctx, { webhookId, url, description, events: checkedEvents(merged), basedOn })
          },
        })
        return redirectBack('Webhook saved')
      case 'test':
        await sendTestWebhook(ctx, { webhookId })
        return redirectBack('Test event on its way: reload the page to see the response')
      case 'pause':
        await pauseWebhook(ctx, { webhookId })
        return redirectBack('Webhook paused')
      case 'resume':
        await resumeWebhook(ctx, { webhookId })
        return redirectBack('Webhook resumed')
      case 'replace-secret':
        await replaceWebhookSecret(ctx, { webhookId })
        return redirectBack('Secret replaced: the old one also signs for another 24 hours')
      case 'remove':
        await removeWebhook(ctx, { webhookId })
        return redirectBack('Webhook removed', list)
      case 'replay':
        await replayWebhooks(ctx, { webhookId, deliveryId: values.id })
        return redirectBack('Delivery resent', deliveryLogPage)
      case 'replay-failed': {
        const { replayed } = await replayWebhooks(ctx, { webhookId })
        return redirectBack(
          replayed === 0 ? 'No failed deliveries are left to resend' : `Resent: ${formatCount(replayed)}`,
          deliveryLogPage,
        )
      }
      default:
        throw outdatedForm()
    }
  })
}

const pausedTexts = {
  staff: 'Each event is held for three days, and is sent when you resume the webhook.',
  gone: 'The receiver responded with 410 (Gone). No events are held until you resume the webhook.',
  failing: 'The receiver has not accepted an event for three days. Each event is held for three days.',
} as const

export default function WebhookPage() {
  const { webhook, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const { url, state, pausedWhy, failingSince } = webhook
  const isPaused = state === 'paused'
  return (
    <>
      <PageHeader title="Webhook" note={<span className="wrap-anywhere">{url}</span>} />
      <div className="max-w-4xl space-y-6">
        {isPaused && (
          <Banner tone="warning" title="This webhook is paused">
            <p id="webhook-paused">{pausedTexts[pausedWhy ?? 'staff']}</p>
          </Banner>
        )}
        {!isPaused && failingSince && (
          <Banner tone="warning" title="This webhook is not responding">
            <p>
              Every attempt has failed since <Moment at={failingSince} timeZone={timeZone} />. Each delivery is retried
              for three days.
            </p>
          </Banner>
        )}
        <WebhookActions isPaused={isPaused} problem={problem} />
        <WebhookSecret
          secret={webhook.secret}
          previousEndsAt={webhook.previousEndsAt}
          problem={problem}
          timeZone={timeZone}
        />
        <DeliveryLog
          deliveries={webhook.deliveries}
          next={webhook.next}
          isPaused={isPaused}
          problem={problem}
          timeZone={timeZone}
        />
        <Section title="Settings">
          <WebhookForm intent="change" webhook={webhook} problem={problem} />
        </Section>
      </div>
    </>
  )
}

function WebhookActions({ isPaused, problem }: { isPaused: boolean; problem: Refusal | undefined }) {
  const test = useForm({ problem, identifiedBy: { intent: 'test' }, failure: 'Test event not sent' })
  const pause = useForm({
    problem,
    identifiedBy: { intent: isPaused ? 'resume' : 'pause' },
    failure: 'Webhook not changed',
  })
  const remove = useForm({ problem, identifiedBy: { intent: 'remove' }, failure: 'Webhook not removed' })
  return (
    <div className="flex flex-wrap gap-2">
      {!isPaused && (
        <Form form={test}>
          <SubmitButton kind="secondary">Send test event</SubmitButton>
        </Form>
      )}
      <Form form={pause}>
        <SubmitButton kind="secondary">{isPaused ? 'Resume' : 'Pause'}</SubmitButton>
      </Form>
      <Form form={remove}>
        <ConfirmButton
          form={remove}
          isDangerous
          label="Remove"
          title="Remove this webhook?"
          text="No more events are sent to it, and waiting events are discarded. This cannot be undone."
        />
      </Form>
    </div>
  )
}
