import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { emailKey, postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import type { LikelySource } from '../likely/likely-record.rules.ts'

/** The fields of a new reader that are compared; blank if not typed yet. */
export type ComparedReader = Omit<LikelySource, 'id'>

/** The keys for finding stored readers. */
export interface SimilarKeys {
  email: string
  postCode: string
  surname: string
  address: string
  name: string
  company: string
}

export function keysOf(typed: ComparedReader): SimilarKeys {
  return {
    email: emailKey(typed.email),
    postCode: postCodeKey(typed.postCode),
    surname: textKey(typed.lastName, 100),
    address: textKey(typed.addressOne),
    name: textKey(typed.fullName || `${typed.firstName} ${typed.lastName}`),
    company: textKey(typed.companyName),
  }
}

/** Each block is an index range with a limit: a few hundred are compared, however many readers there are. */
const blocks: readonly { needs: readonly (keyof SimilarKeys)[]; where: string; limit: number }[] = [
  { needs: ['email'], where: `key_email <> '' AND key_email = :email`, limit: 20 },
  {
    needs: ['postCode', 'address'],
    where: `key_post_code <> '' AND key_post_code = :postCode AND key_address = :address`,
    limit: 20,
  },
  {
    needs: ['postCode', 'surname'],
    where: `key_surname <> '' AND key_surname = :surname AND key_post_code = :postCode`,
    limit: 20,
  },
  { needs: ['postCode'], where: `key_post_code <> '' AND key_post_code = :postCode`, limit: 60 },
  {
    needs: ['surname', 'postCode'],
    where: `key_surname <> '' AND key_surname = :surname AND key_post_code >= :district AND key_post_code < :districtEnd`,
    limit: 40,
  },
  { needs: ['name'], where: `key_name <> '' AND key_name = :name`, limit: 40 },
  { needs: ['company'], where: `key_company <> '' AND key_company = :company`, limit: 40 },
]

/** The ids of readers worth comparing with these keys. */
export async function candidateIds(ctx: AppContext, publicationId: number, keys: SimilarKeys): Promise<number[]> {
  const { postCode } = keys
  const district = postCode.length >= 5 ? postCode.slice(0, -3) : postCode.slice(0, 3)
  const values: SqlValues = { publicationId, ...keys, district, districtEnd: `${district}\u{10FFFF}` }
  const ids = new Set<number>()
  // One after the other: a transaction has only one connection.
  for (const { needs, where, limit } of blocks) {
    if (needs.some((key) => keys[key] === '')) continue
    const rows = await ctx.db.query<{ id: number }>(
      `SELECT id FROM readers WHERE publication_id = :publicationId AND ${where} LIMIT ${limit}`,
      values,
    )
    for (const { id } of rows) ids.add(id)
  }
  return [...ids]
}
