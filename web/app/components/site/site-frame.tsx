import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Brand } from '../layout/brand.tsx'
import { LinkButton } from '../ui/button.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { CookieNotice } from './cookie-notice.tsx'
import { ResourcesMenu } from './resources-menu.tsx'
import { SectionLink } from './section-link.tsx'
import { SiteDrawer } from './site-drawer.tsx'
import { SiteFooter } from './site-footer.tsx'
import { ToTop } from './to-top.tsx'

/** The frame of the pages about the product: landing page, guide, contact form, privacy policy. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="no-print sticky top-0 z-20 border-b border-line bg-surface">
        <div className="mx-auto flex h-[69px] max-w-6xl items-center justify-between gap-4 px-4 md:px-6">
          <Brand />
          <nav aria-label="Site" className="hidden items-center gap-1 md:flex lg:gap-3">
            <SectionLink to="features" className="site-link">
              Features
            </SectionLink>
            <SectionLink to="pricing" className="site-link">
              Pricing
            </SectionLink>
            <ResourcesMenu />
            <Link to="/contactme" className="site-link">
              Contact Us
            </Link>
            <span className="ml-2">
              <LinkButton to="/login">Publisher log in</LinkButton>
            </span>
          </nav>
          <SiteDrawer />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      <SiteFooter />
      <CookieNotice />
      <ToTop />
    </div>
  )
}
