/** A grey block of the size of what will stand there, so that nothing moves when it comes. Height in px. */
export function Skeleton({ height = 20 }: { height?: number }) {
  return <span aria-hidden="true" style={{ height }} className="block animate-pulse rounded-input bg-subtle" />
}
