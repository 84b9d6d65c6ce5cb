import type { RequestHandler } from 'express'

export interface FaultyResponses {
  /** The next calls to a path are not executed but answered with this status. */
  failNext(path: string, status: number, times?: number): void
  /** The next calls to a path are executed, and their responses lost. */
  dropNextResponse(path: string, times?: number): void
  /** From now on every call is executed and answered. */
  clearFaults(): void
  handler: RequestHandler
}

/** The faults of a fake provider: calls that are not executed, or executed without a response. Paths match by their beginning or their end. */
export function faultyResponses(): FaultyResponses {
  const waiting: { path: string; status: number | 'drop' }[] = []
  const queue = (path: string, status: number | 'drop', times: number) => {
    for (let n = 0; n < times; n++) waiting.push({ path, status })
  }
  return {
    failNext: (path, status, times = 1) => queue(path, status, times),
    dropNextResponse: (path, times = 1) => queue(path, 'drop', times),
    clearFaults: () => void waiting.splice(0),
    handler(request, response, next) {
      const index = waiting.findIndex(({ path }) => request.path.startsWith(path) || request.path.endsWith(path))
      const [fault] = index < 0 ? [] : waiting.splice(index, 1)
      if (!fault) return next()
      if (fault.status !== 'drop') return void response.status(fault.status).json({ name: 'INTERNAL_SERVER_ERROR' })
      // The change is made; the connection breaks before the response.
      response.send = () => {
        request.socket.destroy()
        return response
      }
      response.json = response.send
      next()
    },
  }
}
