import { Link } from '@remix-run/react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface CardProps {
  icon: ReactNode
  title: string
  /** What it is done to, for those who hear the link alone: the publication. */
  about: string
  children: ReactNode
}

const look =
  'group relative flex h-full gap-3 rounded-card border border-line p-3.5 hover:border-primary hover:bg-primary-soft/50'
const linkLook = 'text-body font-semibold text-primary no-underline after:absolute after:inset-0 group-hover:underline'

function Card({ icon, link, children }: { icon: ReactNode; link: ReactNode; children: ReactNode }) {
  return (
    <li className={look}>
      <span className="mt-0.5 shrink-0 text-primary">{icon}</span>
      <div>
        {link}
        <p className="text-table text-ink-2">{children}</p>
      </div>
    </li>
  )
}

/** A thing that can be done with a publication; the whole card leads there. */
export function ActionCard({ to, icon, title, about, children }: CardProps & { to: string }) {
  return (
    <Card
      icon={icon}
      link={
        <Link to={to} aria-label={`${title}: ${about}`} className={linkLook}>
          {title}
        </Link>
      }
    >
      {children}
    </Card>
  )
}

/**
 * The same for a file: the link is the browser's own download, which shows its progress and can be broken off there. A window
 * says where it went; without JavaScript the file simply comes.
 */
export function DownloadCard({
  href,
  icon,
  title,
  about,
  windowTitle,
  children,
}: CardProps & { href: string; windowTitle: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Card
        icon={icon}
        link={
          <a
            href={href}
            download
            aria-label={`${title}: ${about}`}
            className={linkLook}
            onClick={(event) => {
              event.currentTarget.focus()
              setOpen(true)
            }}
          >
            {title}
          </a>
        }
      >
        {children}
      </Card>
      <Dialog
        title={windowTitle}
        isOpen={isOpen}
        onClose={close}
        isSteady
        description={`${about}: the download has started. It will appear in your browser’s downloads, where its progress is shown and where you can cancel it.`}
      >
        <p className="text-body text-ink-2">
          A large file can take a few minutes. You may close this window and go on.
        </p>
        <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
          <a href={href} download className="link text-body">
            Nothing there? Start it again
          </a>
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  )
}
