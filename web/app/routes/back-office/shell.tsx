import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { BackOfficeFrame } from '#web/app/components/layout/back-office-frame.tsx'
import { ErrorPage, errorTitle } from '#web/app/components/layout/error-page.tsx'
import { StaffErrorPage } from '#web/app/components/layout/staff-error-page.tsx'
import { isQueryIntent } from '#web/app/components/ui/query-intent.ts'
import { noIndex } from '#web/app/http/no-index.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { staffFrame } from '#web/app/http/staff-frame.ts'

export const meta: MetaFunction = ({ error }) => [{ title: error ? errorTitle(error) : 'Masthead' }, noIndex]

export async function loader({ request, context }: LoaderFunctionArgs) {
  return staffFrame(await requireScreen(request, context, 'shell'))
}

/** The figures in the frame change only by actions, so navigation does not reload them. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formMethod, formData }) =>
  formMethod !== undefined && formMethod !== 'GET' && !isQueryIntent(formData)

export default function Shell() {
  const { home, ...frame } = useLoaderData<typeof loader>()
  return (
    <BackOfficeFrame {...frame}>
      <Outlet />
    </BackOfficeFrame>
  )
}

/** Keeps the menu when a screen fails, so that the user can go to another screen. */
export function ErrorBoundary() {
  const frame = useRouteLoaderData<typeof loader>('routes/back-office/shell')
  return frame ? <StaffErrorPage frame={frame} /> : <ErrorPage isWholePage />
}
