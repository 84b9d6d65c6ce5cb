import { useEffect, useRef, useState } from 'react'

/** Imports a large module on demand: undefined until it is loaded. If that fails, `otherwise` is called. */
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
