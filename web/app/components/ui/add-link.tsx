import { Link } from '@remix-run/react'
import Plus from 'lucide-react/icons/plus'

/** The round blue plus button of a list with its label: links to the form that adds an item. */
export function AddLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="group inline-flex min-h-10 items-center gap-2 rounded-full pr-2 text-body font-medium text-primary no-underline hover:underline"
    >
      <span className="flex size-10 items-center justify-center rounded-full bg-primary text-white group-hover:bg-primary-hover">
        <Plus size={20} aria-hidden="true" />
      </span>
      {children}
    </Link>
  )
}
