import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** The storefront's primary button, in the publication's colour with a label in a contrasting colour. */
export function ShopButton({
  isPending = false,
  isDisabled = false,
  describedBy,
  onPress,
  children,
}: {
  isPending?: boolean
  /** Disabled, but still in the tab order so that screen readers reach the reason (`describedBy`). */
  isDisabled?: boolean
  describedBy?: string
  /** The click handler; without it the button submits its form. */
  onPress?: () => void
  children: ReactNode
}) {
  const t = useT()
  const isInactive = isPending || isDisabled
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      aria-disabled={isInactive || undefined}
      aria-describedby={describedBy}
      aria-busy={isPending || undefined}
      onClick={(event) => (isInactive ? event.preventDefault() : onPress?.())}
      className="relative inline-flex min-h-12 w-full items-center justify-center rounded-input border border-(--shop-edge) bg-(--shop) px-5 py-2 text-input font-semibold text-(--shop-label) hover:bg-(--shop-hover) aria-disabled:opacity-70"
    >
      <span className={isPending ? 'opacity-0' : ''}>{children}</span>
      {isPending && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
          <span className="sr-only">{t('Working…')}</span>
        </span>
      )}
    </button>
  )
}
