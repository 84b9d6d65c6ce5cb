/** A title as the room of a plan is shared out: by its id, the oldest first. */
export interface PlannedTitle {
  id: number
  isResting: boolean
}

/**
 * Which titles rest and which come back when a plan has room for so many. Those that were chosen rest; where that is not enough, the newest
 * do. Where there is room, those that are paused come back, the oldest first.
 */
export function shareRoom(
  titles: readonly PlannedTitle[],
  allowed: number,
  chosen: readonly number[] = [],
): { rest: number[]; wake: number[] } {
  const live = titles.filter(({ isResting }) => !isResting).map(({ id }) => id)
  const over = live.length - allowed
  if (over > 0) {
    const chosenLive = live.filter((id) => chosen.includes(id))
    const others = live.filter((id) => !chosen.includes(id)).reverse()
    return { rest: [...chosenLive, ...others.slice(0, Math.max(0, over - chosenLive.length))], wake: [] }
  }
  const resting = titles.filter(({ isResting }) => isResting).map(({ id }) => id)
  return { rest: [], wake: resting.slice(0, -over || 0) }
}

/** How many titles have to be paused for a plan with room for so many. */
export function titlesToRest(titles: readonly PlannedTitle[], allowed: number): number {
  return Math.max(0, titles.filter(({ isResting }) => !isResting).length - allowed)
}
