import { DataTypes } from 'sequelize'
import { defineModel } from '../model.ts'

export interface BackIssueRow {
  id: number
  publicationId: number
  volume: string
  description: string
  /** Null is unlimited. */
  stock: number | null
  price: number | null
  priceUs: number | null
  priceEu: number | null
  postage: number | null
  postageUs: number | null
  postageEu: number | null
  coverImage: string | null
  removedAt: Date | null
}

export const BackIssues = defineModel<BackIssueRow, 'publicationId' | 'volume'>('back_issues', {
  publicationId: DataTypes.BIGINT,
  volume: DataTypes.STRING,
  description: DataTypes.STRING,
  stock: DataTypes.INTEGER,
  price: DataTypes.BIGINT,
  priceUs: DataTypes.BIGINT,
  priceEu: DataTypes.BIGINT,
  postage: DataTypes.BIGINT,
  postageUs: DataTypes.BIGINT,
  postageEu: DataTypes.BIGINT,
  coverImage: DataTypes.STRING,
  removedAt: DataTypes.DATE,
})
