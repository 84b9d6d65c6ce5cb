import type { AppContext } from '../context.ts'
import { defineTable, ref, text } from '../table.ts'

/** The valid postcodes of a file. They are written by the load of the platform (`ports/postcode-load`). */
export const Postcodes = defineTable('postcodes', {
  fileId: ref(),
  /** Only capitals and digits, as in the readers' `keyPostCode`. */
  postCode: text(),
})

/** Deletes the codes of a file in chunks with short locks. */
export async function dropPostcodes({ db }: Pick<AppContext, 'db'>, fileId: number): Promise<void> {
  for (;;) {
    const dropped = await db.run(
      `DELETE FROM postcodes WHERE file_id = :fileId AND post_code <= (
         SELECT max(post_code) FROM (SELECT post_code FROM postcodes WHERE file_id = :fileId ORDER BY post_code LIMIT 20000) piece)`,
      { fileId },
    )
    if (dropped === 0) break
  }
}
