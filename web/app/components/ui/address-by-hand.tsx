import type { ReactNode } from 'react'
import { useT } from '../../i18n/use-t.tsx'

interface AddressByHandProps {
  /** False where no addresses are looked up: then the fields are always shown. The same elements stay, so what was typed is kept. */
  isCollapsible?: boolean
  isExpanded: boolean
  onToggle: (isExpanded: boolean) => void
  children: ReactNode
}

/** The fields of an address below its postcode search: collapsed until an address is picked or they are expanded. */
export function AddressByHand({ isCollapsible = true, isExpanded, onToggle, children }: AddressByHandProps) {
  const t = useT()
  return (
    <>
      <details
        open={!isCollapsible || isExpanded || undefined}
        onToggle={({ currentTarget }) => isCollapsible && onToggle(currentTarget.open)}
        // Whoever is in a field stays in it when another country's fields could be collapsed.
        onFocus={() => isCollapsible || onToggle(true)}
        className={isCollapsible ? 'address-by-hand' : ''}
      >
        <summary
          className={
            isCollapsible
              ? 'inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2'
              : 'hidden'
          }
        >
          {t('Enter address manually')}
        </summary>
        <div className={`grid gap-5 sm:grid-cols-2 ${isCollapsible ? 'pt-2' : ''}`}>{children}</div>
      </details>
      {isCollapsible && (
        <noscript>
          <style>{withoutScript}</style>
        </noscript>
      )}
    </>
  )
}

/** Styles for browsers without JavaScript: the fields are expanded from the start; in browsers that do not support this, a click expands them. */
const withoutScript =
  '.address-find{display:none}.address-by-hand::details-content{content-visibility:visible;display:block}'
