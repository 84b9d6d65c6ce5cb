import { useFetcher } from '@remix-run/react'
import { useLazyImport } from '../ui/use-lazy-import.ts'
import { logOutFormId } from './returning-customer.tsx'
import type { Shop } from './shop-frame.tsx'
import { useAccessAddresses } from './use-access-addresses.ts'

interface CustomerAccessProps {
  shop: Shop
  country: string
  isLoggingIn: boolean
  onClose: () => void
  /** Called on log-out, to discard what was typed. */
  onLeave: () => void
}

/** The log-in dialog and the log-out form of an order page. They are siblings of the order form, because HTML forms cannot be nested. */
export function CustomerAccess({ shop, country, isLoggingIn, onClose, onLeave }: CustomerAccessProps) {
  const fetcher = useFetcher()
  const addresses = useAccessAddresses(shop, country)
  // Most visitors are new, so the dialog is loaded when it is opened. If that fails, the log-in page opens instead.
  const dialogModule = useLazyImport(
    isLoggingIn,
    () => import('../buyer/log-in-dialog.tsx'),
    () => window.location.assign(addresses.logIn),
  )
  return (
    <>
      <fetcher.Form
        method="post"
        action={addresses.logOut}
        id={logOutFormId}
        onSubmit={(event) => {
          event.preventDefault()
          onLeave()
          fetcher.submit({ stays: 'true' }, { method: 'post', action: addresses.logOut })
        }}
        hidden
      />
      {dialogModule && <dialogModule.LogInDialog shop={shop} isOpen={isLoggingIn} onClose={onClose} />}
    </>
  )
}
