import path from 'node:path'
import { objectStoreOptions } from '../../common/storage/storage-variables.ts'
import { registrationSettings } from '../accounts/registration/registration-settings.ts'
import { originsOf } from './page-headers.ts'
import type { ConsoleOptions } from './console-answers.ts'

type Settings = Parameters<typeof objectStoreOptions>[0] &
  Parameters<typeof registrationSettings>[0] & {
    readonly CLOUD_FFMPEG_CONSOLE: boolean
    readonly CLOUD_FFMPEG_SELF_SERVICE_KEYS: boolean
  }

/** @returns null where the console is disabled */
export function consoleOptions(settings: Settings): ConsoleOptions | null {
  if (!settings.CLOUD_FFMPEG_CONSOLE) return null
  const { publicEndpoint, endpoint } = objectStoreOptions(settings)
  const storage = [settings.CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL, publicEndpoint ?? endpoint]
  return {
    folder: path.join(import.meta.dirname, 'static'),
    storageOrigins: originsOf(storage),
    registration: registrationSettings(settings).settings !== null,
    selfServiceKeys: settings.CLOUD_FFMPEG_SELF_SERVICE_KEYS,
  }
}
