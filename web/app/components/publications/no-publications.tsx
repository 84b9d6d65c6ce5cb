import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** Shown on a page about a publication to a user who has none. `next`: what the page is for, once there is one. */
export function NoPublications({ next = '' }: { next?: string }) {
  return (
    <EmptyState
      title="No Publications found for this User"
      action={
        <LinkButton to="/publications" kind="primary">
          Go to publications
        </LinkButton>
      }
    >
      {`Add one on the Publications page, with the button “Add publication”. ${next}`.trim()}
    </EmptyState>
  )
}
