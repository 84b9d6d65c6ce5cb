import { Form, Link } from '@remix-run/react'
import ExternalLink from 'lucide-react/icons/external-link'
import Eye from 'lucide-react/icons/eye'
import ImageIcon from 'lucide-react/icons/image'
import Pencil from 'lucide-react/icons/pencil'
import Stamp from 'lucide-react/icons/stamp'
import Tag from 'lucide-react/icons/tag'
import Trash2 from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Badge } from '../ui/badge.tsx'

interface CardProps {
  publication: {
    id: number
    publicationName: string
    urlKey: string
    issuesPerYear: number
    coverImage: string | null
    isOnSale: boolean
    isPaused: boolean
    isExample: boolean
    readers: number
    activeReaders: number
  }
  onRemove: () => void
}

/** A publication with its actions. An example has no storefront of its own, and can only be removed. */
export function PublicationCard({ publication, onRemove }: CardProps) {
  const { id, publicationName, urlKey, issuesPerYear, isOnSale, isPaused, isExample } = publication
  const cover = imageFilesOf(publication.coverImage, 'cover')
  return (
    <li className="card flex flex-col p-4 lg:p-5">
      <div className="flex grow items-start gap-4">
        {cover ? (
          <img
            {...cover}
            sizes="96px"
            alt={`Cover of ${publicationName}`}
            className="h-auto w-24 shrink-0 rounded-input border border-line"
          />
        ) : (
          <span className="flex h-32 w-24 shrink-0 items-center justify-center rounded-input border border-dashed border-control text-center text-caption text-muted">
            No cover
          </span>
        )}
        <div className="min-w-0 grow">
          <h2 className="text-h3 wrap-anywhere">{publicationName}</h2>
          <p className="text-table wrap-anywhere text-muted">
            {isExample ? 'Made-up data, visible only to you and your colleagues' : `/${urlKey}`}
          </p>
          <p className="numeric mt-2 text-body text-ink-2">{`${countOf(issuesPerYear, 'issue')} a year`}</p>
          <p className="numeric text-body text-ink-2">{readersText(publication)}</p>
          <p className="mt-2 flex flex-wrap gap-2">
            {isExample ? <Badge tone="info">Example</Badge> : <Badge tone="success">Live</Badge>}
            {isPaused && <Badge>Paused: not on sale</Badge>}
            {!isOnSale && <Badge tone="warning">No prices yet</Badge>}
          </p>
        </div>
      </div>
      <ul
        aria-label={`Actions for ${publicationName}`}
        className="mt-4 grid grid-cols-1 gap-x-4 border-t border-line pt-2 min-[480px]:grid-cols-2"
      >
        <Action to={`/editpublication/${id}`} about={publicationName} icon={<Pencil {...iconProps} />}>
          Edit Details
        </Action>
        <Action to={`/promocodes/${id}`} about={publicationName} icon={<Tag {...iconProps} />}>
          Promo Codes
        </Action>
        <Action to={`/publications/${id}/cover`} about={publicationName} icon={<ImageIcon {...iconProps} />}>
          Change Cover Image
        </Action>
        <Action to={`/publications/${id}/logo`} about={publicationName} icon={<Stamp {...iconProps} />}>
          Change Logo
        </Action>
        <Action to={`/publications/${id}/preview`} about={publicationName} icon={<Eye {...iconProps} />} isPage>
          Preview and test order
        </Action>
        {isExample ? (
          <li>
            <Form method="post" action="/publications">
              <input type="hidden" name="id" value={id} />
              <button type="submit" name="intent" value="remove-example" className={`${actionClass} w-full`}>
                <Trash2 {...iconProps} />
                Remove example
              </button>
            </Form>
          </li>
        ) : (
          <>
            <li>
              <a
                href={`/${urlKey}`}
                target="_blank"
                rel="noopener"
                aria-label={`View Storefront of ${publicationName}, in a new tab`}
                className={actionClass}
              >
                <ExternalLink {...iconProps} />
                View Storefront
              </a>
            </li>
            <li>
              <Link
                to={`/publications?remove=${id}`}
                aria-label={`Remove Publication: ${publicationName}`}
                className={actionClass}
                onClick={(event) => {
                  event.preventDefault()
                  event.currentTarget.focus()
                  onRemove()
                }}
              >
                <Trash2 {...iconProps} />
                Remove Publication
              </Link>
            </li>
          </>
        )}
      </ul>
    </li>
  )
}

const iconProps = { size: 16, 'aria-hidden': true } as const
const actionClass =
  'flex min-h-9 items-center gap-2 rounded-input px-2 text-body text-primary no-underline hover:bg-subtle hover:underline'

interface ActionProps {
  to: string
  icon: ReactNode
  about: string
  /** Whether the page has its own frame; if so, it is loaded as a new document. */
  isPage?: boolean
  children: string
}

function Action({ to, icon, about, isPage = false, children }: ActionProps) {
  return (
    <li>
      <Link to={to} reloadDocument={isPage} aria-label={`${children}: ${about}`} className={actionClass}>
        {icon}
        {children}
      </Link>
    </li>
  )
}

/** All readers, as on other screens, and how many of them are deactivated. */
function readersText({ readers, activeReaders }: CardProps['publication']): string {
  const deactivated = readers - activeReaders
  return `${countOf(readers, 'reader')}${deactivated > 0 ? `, ${formatCount(deactivated)} deactivated` : ''}`
}
