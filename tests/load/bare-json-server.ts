import express from 'express'

/** The minimum of an Express server for a JSON call: `node bare-json-server.ts <port>` reads a body and responds with one. */
const [port] = process.argv.slice(2)
if (!port) throw new Error('usage: bare-json-server.ts <port>')

const check = {
  response: 'success',
  reason: null,
  single: false,
  fname: 'Ida',
  sname: 'Finch',
  subStartDate: 1_764_547_200,
  subEndDate: 1_796_083_199,
}
const app = express()
app.disable('x-powered-by')
app.use(express.json())
app.get('/', (_, response) => void response.send('here'))
app.post('/', (_, response) => void response.json(check))
app.listen(Number(port), '127.0.0.1')
