import { useFetcher } from '@remix-run/react'
import { useLazyImport } from '../ui/use-lazy-import.ts'
import { logInAddress } from './log-in-address.ts'
import { logOutForm } from './returning-customer.tsx'
import type { Shop } from './shop-frame.tsx'

interface CustomerDoorsProps {
  shop: Shop
  isLoggingIn: boolean
  onClose: () => void
  /** Somebody logs out: what they typed goes with them. */
  onLeave: () => void
}

/** The log-in window and the log-out form of an order page. They stand beside the order form, since forms cannot stand in one another. */
export function CustomerAccess({ shop, isLoggingIn, onClose, onLeave }: CustomerDoorsProps) {
  const fetcher = useFetcher()
  // Most visitors are new: the window's code comes when it is opened. Without it there is the page of its own.
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
