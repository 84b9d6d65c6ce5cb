import type { Testimonial } from '#core/testimonials/list-testimonials.query.ts'
import { Badge } from '../ui/badge.tsx'

/** Testimonials of publishers; nothing if there are none. */
export function TestimonialWall({ testimonials }: { testimonials: readonly Testimonial[] }) {
  if (testimonials.length === 0) return null
  return (
    <section aria-labelledby="testimonials" className="border-t border-line bg-tint-sand">
      <div className="mx-auto max-w-6xl px-4 py-16 md:px-6 md:py-24">
        <h2 id="testimonials" className="font-serif text-public-h2 md:text-store-h1">
          What publishers say
        </h2>
        <ul className="mt-10 grid gap-x-14 gap-y-10 md:grid-cols-2">
          {testimonials.map(({ id, quote, personName, role, company, isExample }) => (
            <li key={id} className="border-t border-ink/40 pt-5">
              <figure>
                <blockquote className="font-serif text-h3 font-semibold md:text-h2">“{quote}”</blockquote>
                <figcaption className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-2">
                  <span>
                    <span className="font-semibold text-ink">{personName}</span>
                    {[role, company].filter(Boolean).map((part) => `, ${part}`)}
                  </span>
                  {isExample && <Badge tone="warning">Example</Badge>}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
