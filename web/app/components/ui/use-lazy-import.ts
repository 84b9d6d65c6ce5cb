import { useEffect, useRef, useState } from 'react'

/** Imports a large module on demand: undefined until it is loaded. If that fails, `onFailure` is called. */
export function useLazyImport<Thing extends object>(
  isWanted: boolean,
  load: () => Promise<Thing>,
  onFailure: () => void = () => {},
): Thing | undefined {
  const [loaded, setLoaded] = useState<Thing>()
  const callbacks = useRef({ fetchIt: load, otherwise: onFailure })
  callbacks.current = { fetchIt: load, otherwise: onFailure }
  const isMissing = isWanted && loaded === undefined
  useEffect(() => {
    if (!isMissing) return
    let isMounted = true
    callbacks.current.fetchIt().then(
      (fetched) => isMounted && setLoaded(() => fetched),
      () => isMounted && callbacks.current.otherwise(),
    )
    return () => {
      isMounted = false
    }
  }, [isMissing])
  return loaded
}
