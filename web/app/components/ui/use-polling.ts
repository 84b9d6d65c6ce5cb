import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { expectPolls } from './lost-connection.ts'

/** Milliseconds until the next poll, or a function of the number of polls so far, declared outside the component; null ends the polling. */
type Interval = number | ((pollCount: number) => number | null)

/** Reloads the page's data repeatedly while `isActive`. A poll without a response leaves the page unchanged and is retried. */
export function usePolling(isActive: boolean, interval: Interval): void {
  const { revalidate, state } = useRevalidator()
  const pollCount = useRef(0)
  useEffect(() => {
    if (isActive) return expectPolls()
  }, [isActive])
  useEffect(() => {
    if (!isActive || state !== 'idle') return
    const ms = typeof interval === 'number' ? interval : interval(pollCount.current)
    if (ms === null) return
    const timer = setTimeout(() => {
      pollCount.current++
      revalidate()
    }, ms)
    return () => clearTimeout(timer)
  }, [isActive, interval, revalidate, state])
}
