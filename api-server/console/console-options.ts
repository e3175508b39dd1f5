import path from 'node:path'
import { objectStoreOptions } from '../../common/storage/object-store-options.ts'
import { registrationSettings } from '../accounts/registration/registration-settings.ts'
import { originsOf } from './page-headers.ts'
import type { ConsoleOptions } from './console-answers.ts'

type Given = Parameters<typeof objectStoreOptions>[0] &
  Parameters<typeof registrationSettings>[0] & {
    readonly console: { readonly enabled: boolean; readonly keyHelp: string }
    readonly accounts: { readonly selfServiceKeys: boolean }
  }

/** @returns null where the console is disabled */
export function consoleOptions(settings: Given): ConsoleOptions | null {
  if (!settings.console.enabled) return null
  const { publicEndpoint, endpoint } = objectStoreOptions(settings)
  const storage = [settings.storage.publicBaseUrl, publicEndpoint ?? endpoint]
  return {
    folder: path.join(import.meta.dirname, 'static'),
    storageOrigins: originsOf(storage),
    registration: registrationSettings(settings).settings !== null,
    selfServiceKeys: settings.accounts.selfServiceKeys,
    keyHelp: settings.console.keyHelp,
  }
}
