import type { Running } from '#core/platform/make-services.ts'

/** Gives an empty, migrated database one publisher with one publication of this handle. */
export async function addPublication({ db, now }: Running, urlKey: string): Promise<void> {
  await db.transaction(async () => {
    const [user] = await db.query<{ id: number }>(
      `INSERT INTO users (user_type, email, email_key, created_at, updated_at)
       VALUES ('publisher', 'bench@example.test', 'bench@example.test', :now, :now) RETURNING id`,
      { now: now() },
    )
    await db.run(`INSERT INTO accounts (user_id, created_at, updated_at) VALUES (:userId, :now, :now)`, {
      userId: user?.id ?? 0,
      now: now(),
    })
    await db.run(
      `INSERT INTO publications (publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
       VALUES (:publisherId, 'Harbour Light', :urlKey, :urlKey, :now, :now)`,
      { publisherId: user?.id ?? 0, urlKey, now: now() },
    )
  })
}
