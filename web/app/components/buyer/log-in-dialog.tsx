import { useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { shopColors } from '../storefront/shop-colors.ts'
import type { Shop } from '../storefront/shop-frame.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LogInFields, logInPrefix } from './log-in-fields.tsx'
import { Refusal, type Refused } from './refusal.tsx'

interface LogInDialogProps {
  shop: Pick<Shop, 'urlKey' | 'publicationName' | 'theme'>
  isOpen: boolean
  onClose: () => void
  /** After the page behind it has learned who is logged in. */
  onLoggedIn?: () => void
}

/**
 * Returning customers log in over the page they are on, which keeps all that was chosen and typed there. Where no script runs its opener
 * is a link to `/{urlKey}/login`.
 */
export function LogInDialog({ shop, isOpen, onClose, onLoggedIn }: LogInDialogProps) {
  const t = useT()
  const fetcher = useFetcher<{ problem: Refused } | { isLoggedIn: true }>()
  const answer = fetcher.data
  const isIn = fetcher.state === 'idle' && answer !== undefined && 'isLoggedIn' in answer
  const handled = useRef<typeof answer>()
  useEffect(() => {
    // Once for each answer: the window may be opened again after a log-out.
    if (!isIn || handled.current === answer) return
    handled.current = answer
    onClose()
    onLoggedIn?.()
  }, [isIn, answer, onClose, onLoggedIn])
  const problem = answer && 'problem' in answer ? answer.problem : undefined
  return (
    <Dialog title={t('Returning customer')} isOpen={isOpen} onClose={onClose} isSteady>
      <fetcher.Form
        method="post"
        action={`/${shop.urlKey}/login`}
        noValidate
        style={shopColors(shop.theme)}
        className="space-y-5"
      >
        <input type="hidden" name="stays" value="true" />
        <Refusal problem={problem} prefix={logInPrefix} />
        <p className="text-body text-ink-2">
          {t('Log in with the email and the password of your account at {publication}.', {
            publication: shop.publicationName,
          })}
        </p>
        <LogInFields urlKey={shop.urlKey} problem={problem} />
        <ShopButton isPending={fetcher.state !== 'idle'}>{t('Log in')}</ShopButton>
      </fetcher.Form>
    </Dialog>
  )
}
