import { useEffect, useRef, useState } from 'react'
import {
  type ProgressSample,
  secondsLeft,
  secondsLeftSinceStart,
  type WorkProgress,
} from '#core/kernel/progress-text.ts'

/**
 * Estimated seconds left of a phase: at first by the time since its start, then by its pace since this page first saw it; null while neither is known.
 */
export function useSecondsLeft({ phase, done, total, seconds }: WorkProgress): number | null {
  const [left, setLeft] = useState(() => secondsLeftSinceStart({ phase, done, total, seconds }))
  const first = useRef<ProgressSample | null>(null)
  const seenAt = useRef(0)
  useEffect(() => {
    const now = { phase, done, total, at: performance.now() }
    const isNewPhase = first.current !== null && (first.current.phase !== phase || first.current.done > done)
    // It counts from 0, and started after the previous poll.
    if (isNewPhase) first.current = { ...now, done: 0, at: seenAt.current }
    first.current ??= now
    seenAt.current = now.at
    const estimate = secondsLeft(first.current, now)
    if (estimate !== null || isNewPhase) setLeft(estimate)
  }, [phase, done, total])
  return left
}
