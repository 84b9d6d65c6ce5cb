import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** Shown instead of back issues to a publisher none of whose publications sells them. */
export function NoPublicationSells() {
  return (
    <EmptyState
      title="You don't have any publications which sells back issues"
      action={
        <LinkButton to="/publications" kind="primary">
          Go to publications
        </LinkButton>
      }
    >
      Open Edit Details of a publication and switch on “Do you sell back issues?”. Then you can add them here.
    </EmptyState>
  )
}
