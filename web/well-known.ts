import express, { type Response, type Router } from 'express'
import { visitor } from '#core/access/actor.ts'
import { contextFor, type Services } from '#core/context.ts'
import { getOauthMetadata, getSigningKeys } from '#core/partners/get-oauth-documents.query.ts'

/**
 * Documents at well-known addresses. Any origin may read them (CORS), and cache them for five minutes: a new key is published a day before
 * it signs.
 */
export function wellKnown(services: Services): Router {
  const router = express.Router()
  const ctx = contextFor(services, visitor, { entryPoint: 'web' })
  const send = (response: Response, document: object) =>
    void response.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300').json(document)
  router.get('/jwks.json', (_, response, next) => {
    getSigningKeys(ctx, {}).then((keys) => send(response, keys), next)
  })
  router.get('/oauth-authorization-server', (_, response, next) => {
    getOauthMetadata(ctx, {}).then((metadata) => send(response, metadata), next)
  })
  return router
}
