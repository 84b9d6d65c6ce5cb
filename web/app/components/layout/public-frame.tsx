import type { ReactNode } from 'react'
import { SkipLink } from '../ui/skip-link.tsx'
import { Brand } from './brand.tsx'

/** The frame of the product's public pages: name, content, a small footer. */
export function PublicFrame({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex min-h-[69px] max-w-6xl items-center justify-between gap-4 px-4 py-2 md:px-6">
          <Brand />
          {action}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="grow px-4 outline-none md:px-6">
        {children}
      </main>
      <footer className="border-t border-line px-4 py-6 text-center text-table text-muted">
        Masthead: subscriptions for magazine publishers ·{' '}
        <a href="/privacy" className="link">
          Privacy policy
        </a>
      </footer>
    </div>
  )
}
