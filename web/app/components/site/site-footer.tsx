import { Link } from '@remix-run/react'
import { Brand } from '../layout/brand.tsx'
import { resources } from './resources-menu.tsx'
import { SectionLink } from './section-link.tsx'

const link = 'inline-block py-1 text-nav-text no-underline hover:text-white hover:underline'

/** The footer of the public pages, with links to all of them. */
export function SiteFooter() {
  return (
    <footer className="on-dark no-print bg-nav text-body text-nav-text">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-x-6 gap-y-10 px-4 py-12 md:grid-cols-3 md:px-6 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="col-span-full lg:col-span-1">
          <Brand isOnDark />
          <p className="mt-3 max-w-xs">Subscriptions for magazine publishers.</p>
        </div>
        <nav aria-label="Product">
          <h2 className="mb-2 text-body font-semibold text-white">Product</h2>
          <ul>
            <li>
              <SectionLink to="features" className={link}>
                Features
              </SectionLink>
            </li>
            <li>
              <SectionLink to="pricing" className={link}>
                Pricing
              </SectionLink>
            </li>
            <li>
              <Link to="/howto" className={link}>
                How it works
              </Link>
            </li>
            <li>
              <Link to="/signup" reloadDocument className={link}>
                Sign up
              </Link>
            </li>
          </ul>
        </nav>
        <nav aria-label="Resources">
          <h2 className="mb-2 text-body font-semibold text-white">Resources</h2>
          <ul>
            {resources.map(({ label, href, isFile }) => (
              <li key={href}>
                <a href={href} {...(isFile ? { download: true } : { rel: 'noreferrer' })} className={link}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label="About">
          <h2 className="mb-2 text-body font-semibold text-white">About</h2>
          <ul>
            <li>
              <Link to="/contactme" className={link}>
                Contact Us
              </Link>
            </li>
            <li>
              <Link to="/privacy" className={link}>
                Privacy Policy
              </Link>
            </li>
            <li>
              <Link to="/login" className={link}>
                Publisher log in
              </Link>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  )
}
