import { Link, useSearchParams } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { withParams } from '../ui/link-params.ts'

const linkClass = 'link inline-flex min-h-9 items-center gap-1 text-table'

/** Links to the newer and older pages of a list with keyset pagination, which has no total. `newer` is null if unknown. */
export function KeysetPagination({ newer, older }: { newer: number | null; older: number | null }) {
  const [params] = useSearchParams()
  const isNewest = newer === null && !params.has('before')
  if (isNewest && older === null) return null
  return (
    <nav aria-label="Pages" className="no-print mt-3 flex flex-wrap justify-between gap-4">
      {isNewest ? (
        <span />
      ) : (
        <span className="flex gap-4">
          <Link to={withParams(params, { before: null, after: null })} className={linkClass}>
            Newest
          </Link>
          {newer !== null && (
            <Link to={withParams(params, { before: null, after: newer })} className={linkClass}>
              <ChevronLeft size={16} aria-hidden="true" />
              Newer
            </Link>
          )}
        </span>
      )}
      {older !== null && (
        <Link to={withParams(params, { before: older, after: null })} className={linkClass}>
          Older
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}
