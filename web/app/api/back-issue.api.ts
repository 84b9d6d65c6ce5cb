import { z } from 'zod'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { listBackIssues } from '#core/back-issues/list-back-issues.query.ts'
import { removeBackIssue } from '#core/back-issues/remove-back-issue.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { backIssueBody, WireBackIssue, wireBackIssue } from './back-issue.wire.ts'
import { WireId } from './wire-values.ts'

const Done = z.object({ _id: WireId })
const idOnly = ({ id }: { id: number }) => ({ _id: id })

export const backIssueApi: ApiTable = {
  prefix: 'backIssue',
  calls: [
    get({
      path: '/getbackIssue/{id}',
      summary: "One of the logged-in publisher's back issues",
      useCase: getBackIssue,
      params: { id: { is: 'id', field: 'id' } },
      response: WireBackIssue,
      toResponse: wireBackIssue,
    }),
    get({
      path: '/{userId}',
      summary: "The logged-in publisher's back issues, by publication, the newest first",
      useCase: listBackIssues,
      params: { userId: { is: 'own' } },
      response: z.array(WireBackIssue),
      toResponse: (issues) => issues.map(wireBackIssue),
    }),
    post({
      path: '/',
      summary: 'Add a back issue to a publication that sells them. A blank stock is unlimited.',
      useCase: createBackIssue,
      body: { publication: 'publicationId', ...backIssueBody },
      response: Done,
      toResponse: idOnly,
      status: 201,
      extraStatuses: [404],
    }),
    post({
      path: '/updatebackIssue',
      summary:
        'Change a back issue. All fields are replaced: one that is not sent becomes blank, except the cover. It stays with its publication.',
      useCase: updateBackIssue,
      body: { _id: 'id', publication: 'publicationId', ...backIssueBody },
      response: Done,
      toResponse: idOnly,
      extraStatuses: [404],
    }),
    post({
      path: '/removeBackIssue/{id}',
      summary: 'Take a back issue off sale. Orders that contain it do not change.',
      useCase: removeBackIssue,
      params: { id: { is: 'id', field: 'id' } },
      response: Done,
      toResponse: idOnly,
    }),
  ],
}
