import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import FileDown from 'lucide-react/icons/file-down'
import MapPin from 'lucide-react/icons/map-pin'
import Merge from 'lucide-react/icons/merge'
import Plus from 'lucide-react/icons/plus'
import Replace from 'lucide-react/icons/replace'
import ReplaceAll from 'lucide-react/icons/replace-all'
import Users from 'lucide-react/icons/users'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { ActionCard, DownloadCard } from '../ui/action-card.tsx'

const icon = { size: 20, 'aria-hidden': true } as const

/** Actions for all readers of a publication, or for those imported from a file. */
export function DataActions({
  publication: { id, publicationName },
  postcodes,
  timeZone,
}: {
  publication: { id: number; publicationName: string }
  /** The publication's own file of valid postcodes. */
  postcodes: { codes: number; since: Date } | null
  timeZone: string
}) {
  const about = publicationName
  return (
    <section aria-labelledby="reader-data" className="mb-8">
      <h2 id="reader-data" className="mb-3 text-h3">
        Reader data
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        <ActionCard
          to={`/managedata?publication=${id}&view=all#list`}
          icon={<Users {...icon} />}
          title="View All Reader Data"
          about={about}
        >
          Browse, sort and filter all readers.
        </ActionCard>
        <ActionCard
          to={`/uploadadditional/${id}`}
          icon={<Plus {...icon} />}
          title="Upload Additional Data"
          about={about}
        >
          Adds the readers in a file to the existing ones.
        </ActionCard>
        <ActionCard
          to={`/uploadaddandcombine/${id}`}
          icon={<Merge {...icon} />}
          title="Add & Update Records"
          about={about}
        >
          Updates the readers that match a row of a file, and adds the other rows as new readers.
        </ActionCard>
        <ActionCard
          to={`/uploadpostcodes?publication=${id}`}
          icon={<MapPin {...icon} />}
          title="Upload Postcodes"
          about={about}
        >
          {postcodes
            ? `Addresses are checked against ${countOf(postcodes.codes, 'postcode')}, uploaded ${formatDay(dayOf(postcodes.since, timeZone))}.`
            : 'The postcodes that addresses are checked against. No file has been uploaded yet.'}
        </ActionCard>
        <ActionCard
          to={`/uploadreplacement/${id}?target=imported`}
          icon={<Replace {...icon} />}
          title="Replace Imported Data"
          about={about}
        >
          Only imported readers; those from the storefront stay.
        </ActionCard>
        <DownloadCard
          href={`/readers/${id}/imported.csv`}
          icon={<FileDown {...icon} />}
          title="Download Imported Data"
          dialogTitle="Downloading Uploaded User Database"
          about={about}
        >
          Imported readers, with every column.
        </DownloadCard>
        <ActionCard
          to={`/uploadreplacement/${id}`}
          icon={<ReplaceAll {...icon} />}
          title="Replace ALL Data"
          about={about}
        >
          Replaces all readers with those in a file.
        </ActionCard>
        <DownloadCard
          href={`/readers/${id}/all.csv`}
          icon={<Database {...icon} />}
          title="Download ALL Data"
          dialogTitle="Downloading Entire Database"
          about={about}
        >
          Every reader with every column. It can be imported again.
        </DownloadCard>
        <ActionCard
          to={`/managedata/transfers/${id}`}
          icon={<ArrowLeftRight {...icon} />}
          title="Transfers"
          about={about}
        >
          Reader files that are fetched from a server each day, and mailing files that are sent to a server.
        </ActionCard>
      </ul>
    </section>
  )
}
