import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** The storefront's one main button, in the publication's colour with a label that can be read on it. */
export function ShopButton({
  isPending = false,
  isDisabled = false,
  describedBy,
  onPress,
  children,
}: {
  isPending?: boolean
  /** Not usable now. It stays in the tab order so that the reason beside it (`describedBy`) can be found. */
  isDisabled?: boolean
  describedBy?: string
  /** Does this; without it the button sends its form. */
  onPress?: () => void
  children: ReactNode
}) {
  const t = useT()
  const isStill = isPending || isDisabled
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      aria-disabled={isStill || undefined}
      aria-describedby={describedBy}
      aria-busy={isPending || undefined}
      onClick={(event) => (isStill ? event.preventDefault() : onPress?.())}
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
