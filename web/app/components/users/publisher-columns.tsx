import { Link } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { PublisherListItem } from '#core/users/list-publishers.query.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { ActionButton } from './action-button.tsx'
import { Deactivation } from './deactivation.tsx'
import { LastLogin } from './last-login.tsx'
import { userLinkId } from './user-card.tsx'

type Row = PublisherListItem

const isPublisher = ({ userType }: Row) => userType === 'publisher'

/** The columns of the list of publishers; their reseller is shown to superusers only. */
export function publisherColumns({ isSuper, timeZone }: { isSuper: boolean; timeZone: string }): Column<Row>[] {
  return [
    { header: 'Company', onCard: 'title', isSticky: true, cell: (row) => <Company row={row} /> },
    ...(isSuper ? [{ header: 'Reseller', cell: (row: Row) => <Reseller row={row} /> }] : []),
    {
      header: 'Titles',
      isNumber: true,
      cell: (row) =>
        isPublisher(row) ? (
          <span className={row.titlesUsed >= row.titlesAllowed ? 'font-semibold' : ''}>
            {`${formatCount(row.titlesUsed)} of ${formatCount(row.titlesAllowed)}`}
          </span>
        ) : (
          '-'
        ),
    },
    { header: 'Readers', isNumber: true, cell: (row) => (isPublisher(row) ? formatCount(row.readers) : '-') },
    { header: 'Staff', isNumber: true, cell: (row) => <Staff row={row} /> },
    { header: 'Last log-in', cell: (row) => <LastLogin {...row} timeZone={timeZone} /> },
    {
      header: 'Status',
      cell: ({ isActive }) =>
        isActive ? <Badge tone="success">Active</Badge> : <Badge tone="warning">Deactivated</Badge>,
    },
    { header: 'Actions', cell: (row) => <Actions row={row} /> },
  ]
}

function Company({ row }: { row: Row }) {
  const person = `${row.firstName} ${row.lastName}`.trim()
  return (
    <>
      <Link to={`/edituser/${row.id}`} className="link font-medium">
        {row.companyName || person}
      </Link>
      <span className="block font-normal text-muted">{person}</span>
    </>
  )
}

function Reseller({ row }: { row: Row }) {
  if (isPublisher(row)) return <>{row.resellerName || '-'}</>
  return (
    <div>
      <Badge tone="info">Reseller</Badge>
      <span className="mt-1 block text-muted">{countOf(row.publishers, 'publisher')}</span>
    </div>
  )
}

function Staff({ row }: { row: Row }) {
  if (!isPublisher(row)) return <>-</>
  if (row.staff === 0) return <>0</>
  return (
    <Link to={`/users?keyedTo=${row.id}`} className="link" aria-label={`Staff of ${row.companyName}: ${row.staff}`}>
      {formatCount(row.staff)}
    </Link>
  )
}

function Actions({ row }: { row: Row }) {
  const name = row.companyName || `${row.firstName} ${row.lastName}`.trim()
  return (
    <div className="flex flex-wrap gap-2 max-md:justify-end">
      <LinkButton id={userLinkId(row.id)} to={`/edituser/${row.id}`} size="small">
        Edit
        <span className="sr-only">: {name}</span>
      </LinkButton>
      {row.isActive ? (
        <Deactivation
          user={{ id: row.id, name, userType: row.userType, dependents: row }}
          reason={null}
          label="Deactivate"
          size="small"
        />
      ) : (
        <ActionButton intent="reactivate" user={{ id: row.id, name }} label="Reactivate" size="small" />
      )}
    </div>
  )
}
