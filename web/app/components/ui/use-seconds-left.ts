import { useEffect, useRef, useState } from 'react'
import {
  type ProgressSample,
  secondsLeft,
  secondsLeftSinceStart,
  type WorkProgress,
} from '#core/kernel/progress-text.ts'

/**
 * Estimated seconds left of a phase: at first from the time since its start, then from its pace since this page first polled it; null while neither
 * is known.
 */
export function useSecondsLeft({ phase, done, total, seconds }: WorkProgress): number | null {
  const [left, setLeft] = useState(() => secondsLeftSinceStart({ phase, done, total, seconds }))
  const first = useRef<ProgressSample | null>(null)
  const lastPolledAt = useRef(0)
  useEffect(() => {
    const sample = { phase, done, total, at: performance.now() }
    const isNewPhase = first.current !== null && (first.current.phase !== phase || first.current.done > done)
    // A new phase counts from 0, and started after the previous poll.
    if (isNewPhase) first.current = { ...sample, done: 0, at: lastPolledAt.current }
    first.current ??= sample
    lastPolledAt.current = sample.at
    const estimate = secondsLeft(first.current, sample)
    if (estimate !== null || isNewPhase) setLeft(estimate)
  }, [phase, done, total])
  return left
}
