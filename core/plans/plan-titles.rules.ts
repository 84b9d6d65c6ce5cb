/** A title as counted against a plan's limit: by its id, the oldest first. */
export interface PlannedTitle {
  id: number
  isResting: boolean
}

/**
 * Which titles are paused and which resume when a plan includes so many. The chosen ones are paused; if that is not enough, the newest
 * are too. If the plan includes more, paused ones resume, the oldest first.
 */
export function allocateTitles(
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

/** How many titles have to be paused for a plan that includes so many. */
export function titlesToRest(titles: readonly PlannedTitle[], allowed: number): number {
  return Math.max(0, titles.filter(({ isResting }) => !isResting).length - allowed)
}
