import { useFetcher } from '@remix-run/react'
import { LogInDialog } from '../buyer/log-in-dialog.tsx'
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
export function CustomerDoors({ shop, isLoggingIn, onClose, onLeave }: CustomerDoorsProps) {
  const fetcher = useFetcher()
  return (
    <>
      <fetcher.Form method="post" action={`/${shop.urlKey}/logout`} id={logOutForm} onSubmit={onLeave} hidden />
      <LogInDialog shop={shop} isOpen={isLoggingIn} onClose={onClose} />
    </>
  )
}
