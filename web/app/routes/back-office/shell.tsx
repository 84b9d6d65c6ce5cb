import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { landingPage, userTypeNames } from '#core/access/user-types.ts'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { BackOfficeFrame } from '#web/app/components/layout/back-office-frame.tsx'
import { ErrorPage, errorTitle } from '#web/app/components/layout/error-page.tsx'
import { onlyAsks } from '#web/app/components/ui/only-asks.ts'
import { enter } from '#web/app/http/enter.ts'
import { menus, ownLinks } from '#web/app/http/menu.ts'

export const meta: MetaFunction = ({ error }) => [
  { title: error ? errorTitle(error) : 'Masthead' },
  { name: 'robots', content: 'noindex' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'shell')
  const { actor, session } = ctx
  return {
    menu: menus[actor.userType],
    name: session.name || actor.email,
    companyName: session.companyName,
    avatarFile: session.avatarFile,
    role: userTypeNames[actor.userType],
    links: ownLinks(actor.userType),
    home: landingPage(actor.userType),
    figures: can(actor, 'dashboard:read') ? await topBarFigures(ctx, {}) : null,
  }
}

/** The figures change with what is done here, not with where one looks. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formMethod, formData }) =>
  formMethod !== undefined && formMethod !== 'GET' && !onlyAsks(formData)

export default function Shell() {
  const { home, ...frame } = useLoaderData<typeof loader>()
  return (
    <BackOfficeFrame {...frame}>
      <Outlet />
    </BackOfficeFrame>
  )
}

/** The menu stays when a screen fails, so that one can go on. */
export function ErrorBoundary() {
  const frame = useRouteLoaderData<typeof loader>('routes/back-office/shell')
  if (!frame) return <ErrorPage isWhole />
  const { home, ...rest } = frame
  return (
    <BackOfficeFrame {...rest}>
      <ErrorPage home={home} />
    </BackOfficeFrame>
  )
}
