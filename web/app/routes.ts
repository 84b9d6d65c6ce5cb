import { index, layout, type RouteConfig, route } from '@remix-run/route-config'

/** THE table of screens: address -> file. Who may open which is `http/screens.ts`; fixed words come before handles. */
export default [
  index('routes/public/front.tsx'),
  route('login', 'routes/public/login.tsx'),
  route('slogin', 'routes/public/super-login.tsx'),
  route('login/code', 'routes/public/login-code.tsx'),
  route('logout', 'routes/public/logout.ts'),
  route('forgot', 'routes/public/forgot.tsx'),
  route('reset/:token', 'routes/public/reset.tsx'),

  layout('routes/back-office/shell.tsx', [
    route('dashboard', 'routes/back-office/dashboard.tsx'),
    route('users', 'routes/back-office/users.tsx'),
    route('adduser', 'routes/back-office/add-user.tsx'),
    route('edituser/:userId', 'routes/back-office/edit-user.tsx'),
    route('publishers', 'routes/back-office/publishers.tsx'),
    route('addpublisher', 'routes/back-office/add-publisher.tsx'),
    route('account', 'routes/back-office/account.tsx'),
    route('account/picture', 'routes/back-office/picture.tsx'),
    route('account/two-step', 'routes/back-office/two-step.tsx'),
    route('account/activity', 'routes/back-office/activity.tsx'),
    route('readers', 'routes/back-office/readers.tsx'),
    route('searchreaders/:publicationId', 'routes/back-office/search-readers.tsx'),
    route('editreader/:readerId', 'routes/back-office/reader.tsx'),
    route('payments', 'routes/back-office/payments.tsx'),
    route('orderDetails/:orderId', 'routes/back-office/order-details.tsx'),
  ]),
  route('readers/:publicationId/mailing-file.csv', 'routes/downloads/mailing-file.ts'),
  route('readers/:publicationId/all.csv', 'routes/downloads/all-readers.ts'),
  route('account/activity.csv', 'routes/downloads/activity.ts'),

  route('ordersuccess', 'routes/storefront/order-success.tsx'),
  route('dev/mail', 'routes/dev/mails.tsx'),
  route('dev/mail/:mailId', 'routes/dev/mail.tsx'),
  route('testst', 'routes/dev/kit.tsx'),
  route(':urlKey', 'routes/storefront/storefront.tsx'),
  route(':urlKey/view', 'routes/storefront/page-view.ts'),

  route('*', 'routes/public/not-found.tsx'),
] satisfies RouteConfig
