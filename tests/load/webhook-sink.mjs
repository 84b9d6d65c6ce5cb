// Receives webhooks: `node webhook-sink.mjs`. Answers 204 at once; what is posted to /hangs is never answered. Prints its port, then five times
// a second what came since: how many, and of each how many milliseconds after its event. A process of its own, so that what is measured pays for none of it.
import { createServer } from 'node:http'

const late = []
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url.startsWith('/hangs')) return void request.resume()
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    late.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(parts).toString()).timestamp))
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`)
  setInterval(() => process.stdout.write(`${JSON.stringify(late.splice(0))}\n`), 200)
})
