import { z } from 'zod'
import { addPublisher } from '#core/users/add-publisher.ts'
import { addUser } from '#core/users/add-user.ts'
import { checkEmail } from '#core/users/check-email.query.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { getUser } from '#core/users/get-user.query.ts'
import { listPublishers, publisherSort } from '#core/users/list-publishers.query.ts'
import { listUsers, userSortNames } from '#core/users/list-users.query.ts'
import { publisherContact } from '#core/users/publisher-contact.query.ts'
import { updateUser } from '#core/users/update-user.ts'
import { type ApiTable, del, get, post } from './api-call.ts'
import {
  changedUserBody,
  newPublisherBody,
  newUserBody,
  WireContact,
  WireNewUser,
  WirePublisher,
  WireUser,
  wireContact,
  wireNewUser,
  wirePublisher,
  wireUser,
} from './users.wire.ts'
import { pageQuery, WireId, wirePage } from './wire-values.ts'

const usersQuery = { ...pageQuery, state: 'state', userType: 'userType' }

/** Two paths for one action. */
const deactivation = {
  useCase: deactivateUser,
  params: { id: { is: 'id', field: 'id' } },
  response: z.object({ _id: WireId, isActive: z.literal(false) }),
  toResponse: ({ id }: { id: number }) => ({ _id: id, isActive: false }),
  extraStatuses: [409],
} as const

export const usersApi: ApiTable = {
  prefix: 'users',
  calls: [
    get({
      path: '/email/{email}',
      summary: 'Whether an email is free for a new account; 409 when it is taken. Rate-limited.',
      useCase: checkEmail,
      params: { email: { is: 'text', field: 'email' } },
      response: z.object({ data: z.literal('success') }),
      toResponse: () => ({ data: 'success' }),
      extraStatuses: [409],
    }),
    get({
      path: '/storefront/{id}',
      summary: 'Contact details of a publisher with an open storefront',
      useCase: publisherContact,
      params: { id: { is: 'id', field: 'id' } },
      response: WireContact,
      toResponse: wireContact,
    }),
    get({
      path: '/allusers/',
      summary: 'Every user of the installation, by name: for superusers',
      useCase: listUsers,
      permission: 'user:read-all',
      query: usersQuery,
      sorts: userSortNames,
      response: wirePage(WireUser),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wireUser) }),
    }),
    get({
      path: '/userKey/{id}',
      summary:
        'The users of a publisher or reseller; with the caller’s own id, all users whom the logged-in user manages',
      useCase: listUsers,
      params: { id: { is: 'id', field: 'keyedTo' } },
      query: usersQuery,
      sorts: userSortNames,
      response: wirePage(WireUser),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wireUser) }),
    }),
    get({
      path: '/getpublishers/{id}',
      summary: "A reseller's publishers; with the caller’s own id, all publishers whom the logged-in user manages",
      useCase: listPublishers,
      params: { id: { is: 'id', field: 'keyedTo' } },
      query: { ...pageQuery, state: 'state' },
      sorts: [publisherSort],
      fixed: { userType: 'publisher' },
      response: wirePage(WirePublisher),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wirePublisher) }),
    }),
    get({
      path: '/{id}',
      summary: 'One user whom the logged-in user manages',
      useCase: getUser,
      params: { id: { is: 'id', field: 'id' } },
      response: WireUser,
      toResponse: wireUser,
    }),
    del({
      path: '/{id}',
      summary: 'The same as deactivateuser: nothing is deleted, so that orders and readers keep their history',
      ...deactivation,
    }),
    post({
      path: '/deactivateuser/{id}',
      summary: 'Deactivate a user at once; with a publisher its staff is deactivated and its storefronts close',
      ...deactivation,
    }),
    post({
      path: '/adduser',
      summary: 'Add a member of staff (pubadmin, admin, mailer). Without a password an invitation is emailed.',
      useCase: addUser,
      body: newUserBody,
      response: WireNewUser,
      toResponse: wireNewUser,
      status: 201,
      extraStatuses: [404],
    }),
    post({
      path: '/updateuser',
      summary: 'Change a user: the fields that are sent, all or none',
      useCase: updateUser,
      body: changedUserBody,
      response: z.object({ _id: WireId }),
      toResponse: ({ id }) => ({ _id: id }),
      extraStatuses: [404, 409],
    }),
    post({
      path: '/addpublisher',
      summary:
        'Add a publisher, or as a superuser a reseller, with its account. Without a password an invitation is emailed.',
      useCase: addPublisher,
      body: newPublisherBody,
      response: WireNewUser,
      toResponse: wireNewUser,
      status: 201,
      extraStatuses: [404],
    }),
  ],
}
