import type { StaffFrame } from '../../http/staff-frame.ts'
import { BackOfficeFrame } from './back-office-frame.tsx'
import { ErrorPage } from './error-page.tsx'

/** The error boundary for staff: the error with the menu around it. */
export function StaffErrorPage({ frame: { home, ...frame } }: { frame: StaffFrame }) {
  return (
    <BackOfficeFrame {...frame}>
      <ErrorPage home={home} />
    </BackOfficeFrame>
  )
}
