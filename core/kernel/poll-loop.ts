/** Passes over waiting work, one at a time. */
export interface PollLoop {
  /** Begins a pass; while one is running, requests another after it. */
  wake(): void
  /** Resolves when no pass is under way and all work that passes have begun has ended. */
  idle(inFlight: () => readonly Promise<unknown>[]): Promise<void>
}

/** Runs a function that polls for work and begins it, pass after pass. An error is logged and ends only its pass. */
export function makePollLoop(pass: () => Promise<void>, onError: (error: unknown) => void): PollLoop {
  let running: Promise<void> | undefined
  let isRequested = false
  function wake(): void {
    if (running) {
      isRequested = true
      return
    }
    running = pass()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (!isRequested) return
        isRequested = false
        wake()
      })
  }
  return {
    wake,
    async idle(inFlight) {
      while (running || inFlight().length > 0) await (running ?? Promise.race(inFlight()))
    },
  }
}
