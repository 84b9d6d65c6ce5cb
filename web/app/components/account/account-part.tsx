import type { ReactNode } from 'react'

/** A section of My Account with its heading, the target of a link in the section list. */
export function AccountPart({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="card p-4 lg:p-5">
      <h2 id={`${id}-heading`} className="text-h3">
        {title}
      </h2>
      {note && <p className="mt-1 max-w-[75ch] text-body text-ink-2">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

/** Links to the sections of the page: beside the sections on wide screens, above them on narrow ones. */
export function PartList({ parts }: { parts: readonly { id: string; title: string }[] }) {
  return (
    <nav aria-label="On this page" className="lg:sticky lg:top-20 lg:w-44 lg:shrink-0">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:flex-col">
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="link inline-flex min-h-6 items-center text-body">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
