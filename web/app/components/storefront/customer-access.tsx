import { useFetcher } from '@remix-run/react'
import { useLazyImport } from '../ui/use-lazy-import.ts'
import { logInAddress } from './log-in-address.ts'
import { logOutForm } from './returning-customer.tsx'
import type { Shop } from './shop-frame.tsx'

interface CustomerAccessProps {
  shop: Shop
  isLoggingIn: boolean
  onClose: () => void
  /** Called on log-out, to discard what was typed. */
  onLeave: () => void
}

/** The log-in dialog and the log-out form of an order page. They are siblings of the order form, because HTML forms cannot be nested. */
export function CustomerAccess({ shop, isLoggingIn, onClose, onLeave }: CustomerAccessProps) {
  const fetcher = useFetcher()
  // Most visitors are new, so the dialog is loaded when it is opened. If that fails, the log-in page opens instead.
  const logIn = useLazyImport(
    isLoggingIn,
    () => import('../buyer/log-in-dialog.tsx'),
    () => window.location.assign(logInAddress(shop)),
  )
  return (
    <>
      <fetcher.Form method="post" action={`/${shop.urlKey}/logout`} id={logOutForm} onSubmit={onLeave} hidden />
      {logIn && <logIn.LogInDialog shop={shop} isOpen={isLoggingIn} onClose={onClose} />}
    </>
  )
}
