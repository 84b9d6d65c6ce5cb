import { useId } from 'react'
import { formatCount } from '#core/kernel/counted.ts'
import { LinkButton } from '../ui/button.tsx'

interface LikelyCardProps {
  publicationId: number
  /** Groups to look at; null before the first search. */
  groups: number | null
  isSearching: boolean
}

/** The card of likely duplicates among those of Manage Data. */
export function LikelyCard({ publicationId, groups, isSearching }: LikelyCardProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="card flex flex-col gap-2 p-4">
      <h3 id={heading} className="text-body font-semibold">
        Likely duplicates
      </h3>
      <p className="numeric text-h2 font-semibold">{groups === null ? '-' : formatCount(groups)}</p>
      <p className="grow text-table text-ink-2">
        {isSearching
          ? 'A search is running.'
          : 'Misspelt, swapped, abbreviated and incomplete records of one reader, with why and how sure.'}
      </p>
      <div>
        <LinkButton to={`/managedata/likely/${publicationId}`} size="small">
          {groups === null ? 'Search' : 'View'}
          <span className="sr-only"> likely duplicates</span>
        </LinkButton>
      </div>
    </section>
  )
}
