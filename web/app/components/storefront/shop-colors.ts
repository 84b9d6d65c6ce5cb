import type { CSSProperties } from 'react'
import type { Theme } from '#core/pricing/theme.rules.ts'

/** A publication's colours for buttons and borders, also in dialogs rendered outside the page's frame. */
export function shopColors(theme: Theme): CSSProperties {
  return {
    '--shop': theme.color,
    '--shop-label': theme.label,
    // A darker shade under a black label would reduce its contrast.
    '--shop-hover': theme.label === '#FFFFFF' ? theme.shade : theme.color,
    '--shop-edge': theme.needsEdge ? 'var(--color-ink)' : theme.color,
  } as CSSProperties
}
