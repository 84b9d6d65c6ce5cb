// Receives webhooks: `node webhook-sink.mjs`. Answers 204 at once; what is posted to /hangs is never answered. Prints its port, then five times
// a second the webhooks since: for each, how many milliseconds after its event it came. A process of its own, so that its cost is not measured.
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
