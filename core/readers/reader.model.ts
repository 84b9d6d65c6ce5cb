import { DataTypes } from 'sequelize'
import { recordOf } from '../kernel/record-of.ts'
import { defineModel } from '../model.ts'
import type { OptOuts } from './opt-outs.rules.ts'
import {
  type FieldKind,
  type KeptKind,
  type KeptReaderValues,
  keptReaderColumns,
  type ReaderFieldValues,
  readerFields,
} from './reader-fields.rules.ts'
import type { ReaderKeys } from './reader-keys.rules.ts'

/** A person or office that gets the magazine. The row holds the current subscription; `reader_events` holds how it came about. */
export interface ReaderRow extends ReaderFieldValues, KeptReaderValues {}

type Required =
  | 'publicationId'
  | 'uniqueReference'
  | 'subStartOn'
  | 'subEndOn'
  | 'subRenewOn'
  | 'origin'
  | keyof ReaderKeys
  | keyof OptOuts

const types = {
  text: DataTypes.STRING,
  note: DataTypes.TEXT,
  email: DataTypes.STRING,
  country: DataTypes.STRING,
  flag: DataTypes.BOOLEAN,
  startDay: DataTypes.DATEONLY,
  endDay: DataTypes.DATEONLY,
  subType: DataTypes.STRING,
  money: DataTypes.BIGINT,
  number: DataTypes.BIGINT,
  reference: DataTypes.BIGINT,
  dayOfMonth: DataTypes.INTEGER,
  yesNo: DataTypes.BOOLEAN,
  currency: DataTypes.STRING,
  origin: DataTypes.STRING,
  moment: DataTypes.DATE,
  key: DataTypes.STRING,
} as const satisfies Record<FieldKind | KeptKind, object>

export const Readers = defineModel<ReaderRow, Required>(
  'readers',
  recordOf([...readerFields, ...keptReaderColumns.filter(({ name }) => name !== 'id')], ({ kind }) => types[kind]),
)
