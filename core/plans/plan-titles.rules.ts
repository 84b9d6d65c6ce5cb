/** A title as counted against a plan's limit: by its id, the oldest first. */
export interface CountedTitle {
  id: number
  isPaused: boolean
}

/**
 * Which titles are paused and which resume when a plan includes `allowed` titles. The chosen ones are paused; if that is not enough, the newest
 * are too. If the plan includes more, paused ones resume, the oldest first.
 */
export function allocateTitles(
  titles: readonly CountedTitle[],
  allowed: number,
  chosen: readonly number[] = [],
): { pause: number[]; resume: number[] } {
  const live = titles.filter(({ isPaused }) => !isPaused).map(({ id }) => id)
  const over = live.length - allowed
  if (over > 0) {
    const chosenLive = live.filter((id) => chosen.includes(id))
    const others = live.filter((id) => !chosen.includes(id)).reverse()
    return { pause: [...chosenLive, ...others.slice(0, Math.max(0, over - chosenLive.length))], resume: [] }
  }
  const paused = titles.filter(({ isPaused }) => isPaused).map(({ id }) => id)
  return { pause: [], resume: paused.slice(0, -over || 0) }
}

/** How many titles have to be paused for a plan that includes `allowed` titles. */
export function titlesToPause(titles: readonly CountedTitle[], allowed: number): number {
  return Math.max(0, titles.filter(({ isPaused }) => !isPaused).length - allowed)
}
