import { useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { expectPolls } from './lost-connection.ts'

/** Milliseconds until the next poll, or a function (declared outside of the component) of the polls so far: null ends it. */
type Interval = number | ((polls: number) => number | null)

/** Reloads the page's data again and again while `isActive`. A poll that is not answered leaves the page as it is and is sent again. */
export function usePolling(isActive: boolean, interval: Interval): void {
  const { revalidate, state } = useRevalidator()
  const polls = useRef(0)
  useEffect(() => {
    if (isActive) return expectPolls()
  }, [isActive])
  useEffect(() => {
    if (!isActive || state !== 'idle') return
    const ms = typeof interval === 'number' ? interval : interval(polls.current)
    if (ms === null) return
    const timer = setTimeout(() => {
      polls.current++
      revalidate()
    }, ms)
    return () => clearTimeout(timer)
  }, [isActive, interval, revalidate, state])
}
