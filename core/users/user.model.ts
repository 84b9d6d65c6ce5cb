import { DataTypes } from 'sequelize'
import type { UserType } from '../access/user-types.ts'
import { defineModel } from '../model.ts'

export interface UserRow {
  id: number
  userType: UserType
  email: string
  /** Lower case: unique without regard to case. */
  emailKey: string
  firstName: string
  lastName: string
  passwordHash: string | null
  tokenVersion: number
  parentPublisherId: number | null
  resellerId: number | null
  isActive: boolean
  lastLoginAt: Date | null
}

export const Users = defineModel<UserRow, 'userType' | 'email' | 'emailKey'>('users', {
  userType: DataTypes.STRING,
  email: DataTypes.STRING,
  emailKey: DataTypes.STRING,
  firstName: DataTypes.STRING,
  lastName: DataTypes.STRING,
  passwordHash: DataTypes.STRING,
  tokenVersion: DataTypes.INTEGER,
  parentPublisherId: DataTypes.BIGINT,
  resellerId: DataTypes.BIGINT,
  isActive: DataTypes.BOOLEAN,
  lastLoginAt: DataTypes.DATE,
})
