import type { KeyboardEvent } from 'react'
import type { Product } from '#core/pricing/plan-code.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { productText } from './plan-text.ts'

interface ProductTabsProps {
  products: readonly Product[]
  shown: Product | undefined
  columnId: (product: Product) => string
  onShow: (product: Product) => void
}

/** On phones: tabs for the columns of the price table. Arrow keys move between them (ARIA tabs pattern). */
export function ProductTabs({ products, shown, columnId, onShow }: ProductTabsProps) {
  const t = useT()
  const tabId = (product: Product) => `${columnId(product)}-tab`
  const move = (event: KeyboardEvent) => {
    const index = shown ? products.indexOf(shown) : 0
    const targets: Record<string, number> = {
      ArrowRight: (index + 1) % products.length,
      ArrowLeft: (index + products.length - 1) % products.length,
      Home: 0,
      End: products.length - 1,
    }
    const next = products[targets[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onShow(next)
    document.getElementById(tabId(next))?.focus()
  }
  return (
    <div
      role="tablist"
      aria-label={t('Products')}
      className="product-tabs mt-4 flex rounded-card border border-control bg-subtle p-1 sm:hidden"
      onKeyDown={move}
    >
      {products.map((product) => (
        <button
          key={product}
          type="button"
          role="tab"
          id={tabId(product)}
          aria-controls={columnId(product)}
          aria-selected={product === shown}
          tabIndex={product === shown ? 0 : -1}
          onClick={() => onShow(product)}
          className="min-h-11 grow basis-0 rounded-input px-1.5 py-1 text-body leading-tight font-medium wrap-anywhere hyphens-auto aria-selected:bg-surface aria-selected:font-semibold aria-selected:outline-1 aria-selected:outline-control"
        >
          {productText(t, product)}
        </button>
      ))}
    </div>
  )
}
