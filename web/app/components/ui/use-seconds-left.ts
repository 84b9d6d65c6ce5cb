import { useEffect, useRef, useState } from 'react'
import { type ProgressSample, secondsLeft } from '#core/kernel/progress-text.ts'

/** Estimated seconds left of a phase, at its pace since this page first saw it; null until there is one. */
export function useSecondsLeft({ phase, done, total }: Omit<ProgressSample, 'at'>): number | null {
  const first = useRef<ProgressSample | null>(null)
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const now = { phase, done, total, at: performance.now() }
    const isSamePhase = first.current?.phase === phase && first.current.done <= done
    if (!first.current || !isSamePhase) first.current = now
    setLeft(secondsLeft(first.current, now))
  }, [phase, done, total])
  return left
}
