import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { formatCount } from '#core/kernel/text-format.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { type ListedWebhook, listWebhooks } from '#core/webhooks/list-webhooks.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { WebhookForm } from '#web/app/components/webhooks/webhook-form.tsx'
import { WebhookState } from '#web/app/components/webhooks/webhook-state.tsx'
import { checkedEvents } from '#web/app/components/webhooks/webhook-values.ts'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Webhooks'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Third Party API', to: '/thirdparty' }, { label: title }],
}

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'webhooks')
  return { webhooks: await listWebhooks(ctx, {}), timeZone: ctx.settings.timeZone }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'webhooks')
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent !== 'add') throw outdatedForm()
    const { id } = await addWebhook(ctx, {
      url: values.url,
      description: values.description,
      events: checkedEvents(values),
    })
    const text = 'Webhook added. Copy its signing secret to your system.'
    return redirectWithToast(context, `/thirdparty/webhooks/${id}`, { kind: 'success', text })
  })
}

function columnsFor(timeZone: string): Column<ListedWebhook>[] {
  return [
    {
      header: 'URL',
      onCard: 'title',
      cell: ({ id, url, description }) => (
        <>
          <Link to={`/thirdparty/webhooks/${id}`} className="link font-medium wrap-anywhere">
            {url}
          </Link>
          {description && <span className="block font-normal wrap-anywhere text-ink-2">{description}</span>}
        </>
      ),
    },
    { header: 'Status', cell: (webhook) => <WebhookState {...webhook} /> },
    { header: 'Events', cell: ({ events }) => formatCount(events.length) },
    { header: 'Waiting', cell: ({ waiting }) => formatCount(waiting) },
    {
      header: 'Last event',
      cell: ({ lastAt }) => (lastAt ? <Moment at={lastAt} timeZone={timeZone} /> : 'none yet'),
    },
  ]
}

export default function Webhooks() {
  const { webhooks, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note="Notify your own systems of orders, readers and subscriptions as they change, for all your publications."
      />
      <div className="space-y-6">
        <DataTable
          label={title}
          columns={columnsFor(timeZone)}
          rows={webhooks}
          rowKey={({ id }) => id}
          sort=""
          empty={<EmptyState title="You have no webhooks yet">Enter your endpoint’s URL below.</EmptyState>}
        />
        <div className="max-w-3xl">
          <Section title="New webhook">
            <WebhookForm key={webhooks.length} intent="add" problem={problem} />
          </Section>
        </div>
      </div>
    </>
  )
}
