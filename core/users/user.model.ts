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
  avatarFile: string | null
  lastLoginAt: Date | null
  invitedAt: Date | null
  /** Sealed. Set while two-step login is being set up; in force since `twoStepSince`. */
  twoStepSecret: string | null
  /** Hashes of the recovery codes that are left. */
  twoStepRecoveryCodes: readonly string[] | null
  twoStepSince: Date | null
  /** The time step of the last code taken: each code is good once. */
  twoStepLastStep: number | null
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
  avatarFile: DataTypes.STRING,
  lastLoginAt: DataTypes.DATE,
  invitedAt: DataTypes.DATE,
  twoStepSecret: DataTypes.TEXT,
  twoStepRecoveryCodes: DataTypes.JSON,
  twoStepSince: DataTypes.DATE,
  twoStepLastStep: DataTypes.BIGINT,
})
