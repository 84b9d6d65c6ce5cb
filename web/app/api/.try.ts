import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { startWeb } from '#web/server.ts'

const env = readEnv({ DATA_DIR: '/tmp/p5/data', PORT: '4055', LOG_LEVEL: 'warn' })
const services = await makeServices(env)
const web = await startWeb(services, env)
console.log(web.url)
