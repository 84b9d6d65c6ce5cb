import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { shopColors } from '../storefront/shop-colors.ts'
import type { Shop } from '../storefront/shop-frame.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { LogInFields } from './log-in-fields.tsx'
import { ShopSubmit } from './shop-fields.tsx'

/** Prefix of the field ids: the order form on the same page also has an email and a password. */
const prefix = 'login-'

interface LogInDialogProps {
  shop: Pick<Shop, 'urlKey' | 'publicationName' | 'theme'>
  isOpen: boolean
  onClose: () => void
  /** Called after the page has reloaded with the logged-in buyer. */
  onLoggedIn?: () => void
}

/**
 * The log-in dialog for returning customers. The page behind it keeps everything chosen and typed. Without JavaScript its button is a link to
 * `/{urlKey}/login`.
 */
export function LogInDialog({ shop, isOpen, onClose, onLoggedIn }: LogInDialogProps) {
  const t = useT()
  const fetcher = useFetcher<{ problem: Refusal } | { isLoggedIn: true }>()
  const fetcherData = fetcher.data
  const isLoggedIn = fetcher.state === 'idle' && fetcherData !== undefined && 'isLoggedIn' in fetcherData
  const handledData = useRef<typeof fetcherData>()
  useEffect(() => {
    // Once per response: the dialog may be opened again after a log-out.
    if (!isLoggedIn || handledData.current === fetcherData) return
    handledData.current = fetcherData
    onClose()
    onLoggedIn?.()
  }, [isLoggedIn, fetcherData, onClose, onLoggedIn])
  // A refusal from before the dialog was opened is not about what is typed now.
  const [staleData, setStaleData] = useState<typeof fetcherData>()
  if (!isOpen && staleData !== fetcherData) setStaleData(fetcherData)
  const refusal = fetcherData && 'problem' in fetcherData ? fetcherData.problem : undefined
  const problem = fetcherData === staleData ? undefined : refusal
  const form = useForm({
    problem,
    fetcher,
    prefix,
    labels: { email: t('Email'), password: t('Password') },
    hidden: { stays: 'true' },
    isUnmarked: true,
    isRepeatable: true,
  })
  return (
    <Dialog title={t('Returning customer')} isOpen={isOpen} onClose={onClose} ignoresOutsideClick>
      <Form form={form} action={`/${shop.urlKey}/login`} style={shopColors(shop.theme)} className="space-y-5">
        <p className="text-body text-ink-2">
          {t('Log in with the email and the password of your account at {publication}.', {
            publication: shop.publicationName,
          })}
        </p>
        {/* A captcha that was asked for is still needed. */}
        <LogInFields urlKey={shop.urlKey} problem={refusal} prefix={prefix} />
        <ShopSubmit>{t('Log in')}</ShopSubmit>
      </Form>
    </Dialog>
  )
}
