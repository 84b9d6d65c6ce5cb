import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { ErrorPage, errorTitle } from '#web/app/components/layout/error-page.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'
import { StaffErrorPage } from '#web/app/components/layout/staff-error-page.tsx'
import { ShopErrorPage, usePageShop } from '#web/app/components/storefront/shop-error-page.tsx'
import { failedMeta } from '#web/app/http/page-title.ts'
import { frameIfStaff, type StaffFrame } from '#web/app/http/staff-frame.ts'

export const meta: MetaFunction = ({ error, matches }) =>
  matches.some(({ data: page }) => (page as { shop?: object } | undefined)?.shop)
    ? failedMeta({ error, matches })
    : [{ title: errorTitle(error) }]

/** The 404 page: the shop's below its address, the back office's for logged-in users, else the public one. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<never> {
  throw data({ frame: await frameIfStaff(request, context) }, { status: 404 })
}

export function action(args: ActionFunctionArgs): Promise<never> {
  return loader(args)
}

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  const error = useRouteError()
  const frame: StaffFrame | null = isRouteErrorResponse(error) ? error.data?.frame : null
  const isShop = usePageShop() !== null
  if (frame) return <StaffErrorPage frame={frame} />
  if (isShop) return <ShopErrorPage />
  return (
    <PublicFrame>
      <ErrorPage />
    </PublicFrame>
  )
}
