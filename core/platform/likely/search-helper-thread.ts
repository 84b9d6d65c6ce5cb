import { parentPort } from 'node:worker_threads'
import { candidatePairs } from '#core/likely/candidate-pairs.rules.ts'
import { readReaders } from './read-readers.ts'
import type { HelperRequest } from './search-helper.ts'

/** The entry point of the helper thread: answers each request of a search with what it asks for. */
const port = parentPort
port?.on('message', (request: HelperRequest) => {
  if ('cells' in request) {
    const { readers, versions } = readReaders(request.cells)
    port.postMessage({ readers, versions }, [readers.sketches.buffer, readers.texts.buffer, versions.buffer])
  } else {
    const { readers, search, taken } = request
    const pairs = candidatePairs(readers, search, { taken })
    port.postMessage(pairs, [pairs.buffer])
  }
})
