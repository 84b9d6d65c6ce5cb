import type { MetaFunction } from '@remix-run/node'
import { data } from '@remix-run/node'
import { ErrorPage, errorTitle } from '#web/app/components/layout/error-page.tsx'
import { PublicFrame } from '#web/app/components/layout/public-frame.tsx'

export const meta: MetaFunction = ({ error }) => [{ title: errorTitle(error) }]

/** An address that no screen has. */
export function loader(): never {
  throw data({}, { status: 404 })
}

export function action(): never {
  return loader()
}

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <ErrorPage />
    </PublicFrame>
  )
}
