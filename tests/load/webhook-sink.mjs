// Receives webhooks: `node webhook-sink.mjs`. Responds with 204 immediately, and never to requests to /hangs. Prints its port, then five times
// a second the webhooks since: for each, its delay after the event in milliseconds. A separate process, so that its cost is not measured.
import { createServer } from 'node:http'

const delays = []
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url.startsWith('/hangs')) return void request.resume()
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    delays.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(parts).toString()).timestamp))
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`)
  setInterval(() => process.stdout.write(`${JSON.stringify(delays.splice(0))}\n`), 200)
})
