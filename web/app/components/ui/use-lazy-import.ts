import { useEffect, useRef, useState } from 'react'

/** Imports a large module on demand: undefined until it is loaded. If that fails, `onFailure` is called. */
export function useLazyImport<Item extends object>(
  isWanted: boolean,
  load: () => Promise<Item>,
  onFailure: () => void = () => {},
): Item | undefined {
  const [loaded, setLoaded] = useState<Item>()
  const callbacks = useRef({ load, onFailure })
  callbacks.current = { load, onFailure }
  const isMissing = isWanted && loaded === undefined
  useEffect(() => {
    if (!isMissing) return
    let isMounted = true
    callbacks.current.load().then(
      (fetched) => isMounted && setLoaded(() => fetched),
      () => isMounted && callbacks.current.onFailure(),
    )
    return () => {
      isMounted = false
    }
  }, [isMissing])
  return loaded
}
