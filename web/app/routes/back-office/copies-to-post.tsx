import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { listCopiesToPost, type OrderToPost } from '#core/orders/copies-to-post.query.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { DayText } from '#web/app/components/ui/formats.tsx'
import { Checkbox } from '#web/app/components/ui/inputs.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { checkedIds } from '#web/app/http/checked-ids.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Single & Back Issues', to: '/backIssues' }, { label: 'Copies to post' }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Copies to post – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'copiesToPost')
  const page = existingPage(request, await listCopiesToPost(ctx, searchParams(request)))
  return { page, isRefused: wasRefused(context) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'copiesToPost')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { posted } = await postCopies(ctx, {
      orderIds: checkedIds(values, values.intent === 'all' ? 'shown' : 'order'),
    })
    // The same page, or the last one if all of its orders were marked.
    const { page, pages, size } = await listCopiesToPost(ctx, searchParams(request))
    const list = new URLSearchParams({ page: String(Math.min(page, pages)), size: String(size) })
    return redirectWithToast(context, `/backIssues/toPost?${list}`, {
      kind: 'success',
      text: `${countOf(posted, 'order')} marked as posted`,
    })
  })
}

const columns: Column<OrderToPost>[] = [
  {
    header: 'Order',
    onCard: 'title',
    cell: ({ id, orderNumber }) => (
      <Checkbox name={`order.${id}`} value="true" label={<span className="numeric">{orderNumber}</span>} />
    ),
  },
  { header: 'Ordered', cell: ({ orderedOn }) => <DayText day={orderedOn} /> },
  { header: 'Publication', onCard: 'hidden', cell: ({ publicationName }) => publicationName },
  {
    header: 'Copies',
    cell: ({ copies }) => (
      <ul>
        {copies.map(({ description, quantity, isOversold }) => (
          <li key={description}>
            {quantity > 1 && `${quantity} × `}
            {description}
            {isOversold && <span className="text-danger"> (oversold)</span>}
          </li>
        ))}
      </ul>
    ),
  },
  { header: 'To', cell: ({ addressLines }) => <address className="not-italic">{addressLines.join(', ')}</address> },
  {
    header: 'Open',
    cell: ({ id, orderNumber }) => (
      <Link to={`/orderDetails/${id}`} className="link whitespace-nowrap" aria-label={`View order ${orderNumber}`}>
        View
      </Link>
    ),
  },
]

export default function CopiesToPost() {
  const { page } = useLoaderData<typeof loader>()
  const form = useForm({
    problem: problemOf(useActionData<typeof action>()),
    failure: 'Nothing was marked',
    isUnmarked: true,
  })
  return (
    <>
      <PageHeader
        title={
          <>
            Copies to post <span className="numeric font-normal text-muted">{formatCount(page.total)}</span>
          </>
        }
        note="Orders of back issues, oldest first. Mark them once they are in the post: their price then counts as earned."
        actions={
          <>
            {page.total > 0 && (
              <DownloadLink
                href="/backIssues/toPost/orders.csv"
                dialogTitle="Downloading copies to post"
                about="Copies to post"
              >
                Download
              </DownloadLink>
            )}
            <LinkButton to="/backIssues">Back to Single &amp; Back Issues</LinkButton>
          </>
        }
      />
      <Form form={form} className="space-y-4">
        {page.rows.map(({ id }) => (
          <input key={id} type="hidden" name={`shown.${id}`} value="true" />
        ))}
        <DataTable
          label="Copies to post"
          columns={columns}
          rows={page.rows}
          rowKey={({ id }) => id}
          sort=""
          empty={
            <EmptyState title="Nothing to post">
              An order of back issues is listed here from its payment until you mark it as posted.
            </EmptyState>
          }
        />
        {page.rows.length > 0 && (
          <FormButtons>
            <SubmitButton>Mark selected as posted</SubmitButton>
            {page.rows.length > 1 && (
              <SubmitButton kind="secondary" intent="all">
                {`Mark all ${formatCount(page.rows.length)} on this page as posted`}
              </SubmitButton>
            )}
          </FormButtons>
        )}
      </Form>
      <div className="mt-4">
        <Pagination {...page} noun="order" />
      </div>
    </>
  )
}
