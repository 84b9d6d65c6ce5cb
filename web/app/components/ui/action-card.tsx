import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { DownloadLink } from './download-dialog.tsx'

interface CardProps {
  icon: ReactNode
  title: string
  /** What the action applies to, for screen readers: the publication. */
  about: string
  children: ReactNode
}

const cardClass =
  'group relative flex h-full gap-3 rounded-card border border-line p-3.5 hover:border-primary hover:bg-primary-soft/50'
const linkClass = 'text-body font-semibold text-primary no-underline after:absolute after:inset-0 group-hover:underline'

function Card({ icon, link, children }: { icon: ReactNode; link: ReactNode; children: ReactNode }) {
  return (
    <li className={cardClass}>
      <span className="mt-0.5 shrink-0 text-primary">{icon}</span>
      <div>
        {link}
        <p className="text-table text-ink-2">{children}</p>
      </div>
    </li>
  )
}

/** An action for a publication; the whole card is the link. */
export function ActionCard({ to, icon, title, about, children }: CardProps & { to: string }) {
  return (
    <Card
      icon={icon}
      link={
        <Link to={to} aria-label={`${title}: ${about}`} className={linkClass}>
          {title}
        </Link>
      }
    >
      {children}
    </Card>
  )
}

/** A card whose link downloads a file. */
export function DownloadCard({
  href,
  icon,
  title,
  about,
  dialogTitle,
  children,
}: CardProps & { href: string; dialogTitle: string }) {
  return (
    <Card
      icon={icon}
      link={
        <DownloadLink
          href={href}
          dialogTitle={dialogTitle}
          about={about}
          label={`${title}: ${about}`}
          className={linkClass}
        >
          {title}
        </DownloadLink>
      }
    >
      {children}
    </Card>
  )
}
