import type { CrumbHandle } from './top-bar.tsx'

/** The breadcrumb of a screen directly below the sales ledger. */
export function ledgerCrumbs(title: string): CrumbHandle {
  return { crumbs: () => [{ label: 'Sales Ledger', to: '/payments' }, { label: title }] }
}
