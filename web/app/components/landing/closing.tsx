import { LinkButton } from '../ui/button.tsx'
import { MagazineStack } from './artwork.tsx'

/** The closing section of the landing page. */
export function Closing() {
  return (
    <section aria-labelledby="closing" className="on-dark border-b border-nav-current bg-nav text-nav-text">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-16 md:grid-cols-[3fr_2fr] md:px-6 md:py-20">
        <div>
          <h2 id="closing" className="font-serif text-store-h1 text-white md:text-landing">
            The next issue is closer than you think.
          </h2>
          <p className="mt-4 max-w-xl text-lead">
            Start with one title, sell one subscription, make one mailing file. Then decide.
          </p>
          <div className="mt-8 flex flex-wrap gap-4">
            <LinkButton to="/signup" reloadDocument size="large">
              <span className="px-4 tracking-wide">SIGN UP</span>
            </LinkButton>
            <a
              href="/contactme"
              className="inline-flex min-h-12 items-center rounded-input border border-nav-muted px-5 text-input font-medium text-white no-underline hover:bg-nav-current"
            >
              GET IN TOUCH
            </a>
          </div>
        </div>
        <MagazineStack className="mx-auto w-full max-w-xs" />
      </div>
    </section>
  )
}
