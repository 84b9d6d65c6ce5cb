import { useEffect, useRef, useState } from 'react'

/**
 * Something large that most visits never need, fetched when it is first wanted: undefined until it is there. Where it cannot be
 * fetched, `otherwise` does without it.
 */
export function useLazyImport<Thing extends object>(
  isWanted: boolean,
  fetchIt: () => Promise<Thing>,
  otherwise: () => void = () => {},
): Thing | undefined {
  const [loaded, setLoaded] = useState<Thing>()
  const ways = useRef({ fetchIt, otherwise })
  ways.current = { fetchIt, otherwise }
  const isMissing = isWanted && loaded === undefined
  useEffect(() => {
    if (!isMissing) return
    let isStillWanted = true
    ways.current.fetchIt().then(
      (fetched) => isStillWanted && setLoaded(() => fetched),
      () => isStillWanted && ways.current.otherwise(),
    )
    return () => {
      isStillWanted = false
    }
  }, [isMissing])
  return loaded
}
