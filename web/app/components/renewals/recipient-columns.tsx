import { Link } from '@remix-run/react'
import type { ReachedReader } from '#core/series/due-efforts.query.ts'
import type { Column } from '../ui/data-table.tsx'
import { DayText } from '../ui/formats.tsx'

/** The reader, as the title of a row. */
export const recipientColumn: Column<ReachedReader> = {
  header: 'Reader',
  onCard: 'title',
  cell: ({ readerId, name, uniqueReference }) => (
    <Link to={`/editreader/${readerId}`} className="link font-medium wrap-anywhere">
      {name || uniqueReference}
    </Link>
  ),
}

/** The end of the subscription, the address, and why no email is sent. */
export const deliveryColumns: Column<ReachedReader>[] = [
  { header: 'End', cell: ({ endsOn }) => <DayText day={endsOn} /> },
  {
    header: 'To',
    cell: ({ email, isToBuyer }) => (
      <span className="wrap-anywhere">
        {email || '-'}
        {isToBuyer && <span className="block text-ink-2">The giver</span>}
      </span>
    ),
  },
  { header: 'Left out', cell: ({ exclusion }) => exclusion ?? 'No' },
]
