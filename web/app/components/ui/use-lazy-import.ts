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
  const [thing, setThing] = useState<Thing>()
  const ways = useRef({ fetchIt, otherwise })
  ways.current = { fetchIt, otherwise }
  const isMissing = isWanted && thing === undefined
  useEffect(() => {
    if (!isMissing) return
    let isStillWanted = true
    ways.current.fetchIt().then(
      (fetched) => isStillWanted && setThing(() => fetched),
      () => isStillWanted && ways.current.otherwise(),
    )
    return () => {
      isStillWanted = false
    }
  }, [isMissing])
  return thing
}
