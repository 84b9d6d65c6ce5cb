import type { UserType } from '../access/user-types.ts'
import type { Services } from '../context.ts'

/** The password of every demo account. */
export const demoPassword = 'masthead'

const mailHost = 'demo.masthead.test'

/** The demo's buyer, on the storefront of the first magazine. */
export const demoBuyerEmail = `reader@${mailHost}`

interface DemoUser {
  userType: UserType
  email: string
  firstName: string
  lastName: string
  companyName: string
}

export const demoUsers: readonly DemoUser[] = [
  {
    userType: 'superuser',
    email: `super@${mailHost}`,
    firstName: 'Marguerite',
    lastName: 'Okonkwo',
    companyName: 'Masthead',
  },
  {
    userType: 'reseller',
    email: `reseller@${mailHost}`,
    firstName: 'Tobias',
    lastName: 'Lindqvist',
    companyName: 'Northlight Media Services',
  },
  {
    userType: 'publisher',
    email: `publisher@${mailHost}`,
    firstName: 'Eleanor',
    lastName: 'Saltmarsh',
    companyName: 'Saltmarsh & Quill Ltd',
  },
  { userType: 'pubadmin', email: `pubadmin@${mailHost}`, firstName: 'Joseph', lastName: 'Adeyemi', companyName: '' },
  { userType: 'admin', email: `admin@${mailHost}`, firstName: 'Bronwen', lastName: 'Pritchard', companyName: '' },
  { userType: 'mailer', email: `mailer@${mailHost}`, firstName: 'Gordon', lastName: 'Mailey', companyName: '' },
]

/** Writes the demo's staff and their accounts. Returns the publisher's id. */
export async function seedPeople({ db, now }: Services, passwordHash: string, since: Date): Promise<number> {
  const ids: Partial<Record<UserType, number>> = {}
  for (const user of demoUsers) {
    const isStaffOfPublisher = ['pubadmin', 'admin', 'mailer'].includes(user.userType)
    const [row] = await db.query<{ id: number }>(
      `INSERT INTO users (user_type, email, email_key, first_name, last_name, password_hash, parent_publisher_id, reseller_id, is_active, created_at, updated_at)
       VALUES (:userType, :email, :email, :firstName, :lastName, :passwordHash, :parent, :reseller, :yes, :since, :now) RETURNING id`,
      {
        userType: user.userType,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        passwordHash,
        parent: isStaffOfPublisher ? (ids.publisher ?? null) : null,
        reseller: user.userType === 'publisher' ? (ids.reseller ?? null) : null,
        yes: true,
        since,
        now: now(),
      },
    )
    ids[user.userType] = row?.id ?? 0
    if (user.companyName) await seedAccount({ db, now }, ids[user.userType] ?? 0, user, since)
  }
  return ids.publisher ?? 0
}

async function seedAccount(
  { db, now }: Pick<Services, 'db' | 'now'>,
  userId: number,
  user: DemoUser,
  since: Date,
): Promise<void> {
  const isPublisher = user.userType === 'publisher'
  await db.run(
    `INSERT INTO accounts (user_id, company_name, main_contact, full_name, address_one, address_two, address_three, country, post_zip,
       telephone, mobile, email_address, single_email_address, main_currency, number_of_publications, sell_overseas, allow_full_back_issue,
       automated_renewal_emails, takes_demo_payments, plan_key, created_at, updated_at)
     VALUES (:userId, :companyName, :name, :name, :addressOne, :addressTwo, :addressThree, 'GB', :postZip, :telephone, :mobile, :email,
       :singleEmail, 'GBP', :titles, :yes, :no, :isPublisher, :isPublisher, :planKey, :since, :now)`,
    {
      userId,
      companyName: user.companyName,
      name: `${user.firstName} ${user.lastName}`,
      addressOne: isPublisher ? 'The Old Ropewalk' : '3 Signal Yard',
      addressTwo: isPublisher ? '14 Quay Street' : '',
      addressThree: isPublisher ? 'Falmouth' : 'Bristol',
      postZip: isPublisher ? 'TR11 3LH' : 'BS1 6XN',
      telephone: isPublisher ? '01632 960114' : '01632 960200',
      mobile: isPublisher ? '07700 900118' : '',
      email: user.email,
      singleEmail: isPublisher ? 'subscriptions@saltmarsh-quill.example' : user.email,
      titles: isPublisher ? 5 : 1,
      yes: true,
      no: false,
      isPublisher,
      planKey: isPublisher ? 'standard-5' : null,
      since,
      now: now(),
    },
  )
}
