import { Link } from '@remix-run/react'

/** The way to a mailing file of another day or layout; the card beside it gives today's at one click. */
export function OtherMailingFile({ publicationId, about }: { publicationId: number; about: string }) {
  return (
    <p className="mt-3 text-body">
      <Link
        to={`/mailingfile/${publicationId}`}
        className="link"
        aria-label={`Mailing file for another day or layout: ${about}`}
      >
        Mailing file for another day or layout
      </Link>
    </p>
  )
}
