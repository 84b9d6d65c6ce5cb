import { Link } from '@remix-run/react'
import Plus from 'lucide-react/icons/plus'

/** The round blue plus of the list screens, with its words beside it. */
export function AddButton({ to, label }: { to: string; label: string }) {
  return (
    <Link to={to} className="group inline-flex items-center gap-2.5 text-body font-medium text-primary no-underline">
      <span className="inline-flex size-10 items-center justify-center rounded-full bg-primary text-white group-hover:bg-primary-hover">
        <Plus size={20} aria-hidden="true" />
      </span>
      <span className="group-hover:underline">{label}</span>
    </Link>
  )
}
