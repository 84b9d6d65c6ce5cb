import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSignups } from '#core/signup/list-signups.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { signupColumns } from '#web/app/components/sign-up/signup-columns.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

const title = 'Sign-ups'

export const handle: CrumbHandle = { crumbs: () => [{ label: title }] }

export const meta: MetaFunction = () => [{ title: `${title} – Masthead` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'signUps')
  return { page: existingPage(request, await listSignups(ctx, searchParams(request))), timeZone: ctx.settings.timeZone }
}

const views = [
  { value: 'open', text: 'To settle' },
  { value: 'settled', text: 'Settled' },
]

export default function SignUps() {
  const { page, timeZone } = useLoaderData<typeof loader>()
  const isOpen = page.show === 'open'
  return (
    <>
      <PageHeader
        title={title}
        note="Publishers who have paid for a plan but could not be registered. All others register by themselves."
      />
      <div className="mb-4 flex">
        <ChoiceLinks label="Show" param="show" choices={views} />
      </div>
      <DataTable
        label="Sign-ups"
        columns={signupColumns({ isOpen, timeZone })}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort=""
        rowLink={({ id, companyName, name }) => ({ to: `/signups/${id}`, label: `View ${companyName || name}` })}
        empty={
          isOpen ? (
            <EmptyState title="Nothing to settle">
              Sign-ups that were paid but not registered, or that must be refunded, are listed here with the reason and
              what you can do.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing settled in the last 90 days">
              Sign-ups that were registered by hand, refunded or settled elsewhere are listed here for 90 days.
            </EmptyState>
          )
        }
      />
      <Pagination {...page} noun="sign-up" />
    </>
  )
}
