import type { Model, ModelAttributes, ModelStatic, Optional } from 'sequelize'
import type { Database } from './database.ts'

/** A row as a use-case handles it: its own columns, plus Sequelize's `update`, `save`, `destroy`. */
export type Stored<Row extends object> = Model<Row, Partial<Row>> & Row

type Creation<Row extends object, Required extends keyof Row> = Optional<Row, Exclude<keyof Row, Required>>

/**
 * Declares a table's model without a global: the model belongs to the database it is asked from, so two databases
 * (tests, a copy to PostgreSQL) live side by side. Columns are snake_case in the table and camelCase here.
 */
export function defineModel<Row extends { id: number }, Required extends keyof Row>(
  table: string,
  columns: Omit<ModelAttributes<Model, Row>, 'id'>,
  options: { timestamps?: boolean } = {},
): (ctx: { db: Database }) => ModelStatic<Model<Row, Creation<Row, Required>> & Row> {
  return ({ db: { sequelize } }) => {
    if (!sequelize.isDefined(table)) {
      sequelize.define(table, columns as ModelAttributes, {
        tableName: table,
        underscored: true,
        timestamps: options.timestamps ?? true,
      })
    }
    return sequelize.model(table) as never
  }
}
