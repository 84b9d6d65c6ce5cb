import { useEffect, useState } from 'react'

/** A countdown that starts when the page's scripts run; without JavaScript there is none. */
export function useCountdown(seconds: number): number {
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return secondsLeft
}
