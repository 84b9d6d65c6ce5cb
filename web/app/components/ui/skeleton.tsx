/** A grey placeholder of the size of the content, so that the layout does not shift. Height in px. */
export function Skeleton({ height = 20 }: { height?: number }) {
  return <span aria-hidden="true" style={{ height }} className="block animate-pulse rounded-input bg-subtle" />
}
