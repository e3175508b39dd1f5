import { mbytes } from '../http/mbytes.ts'
import { timestamp, timestampOrNull } from '../http/timestamp.ts'
import type { MediaFacts } from '../../common/gateway/messages.ts'
import type { StoredFile } from '../../common/store/files.ts'
import type { FileRecord } from '../openapi-types.ts'

/** Where a file is to be had; null while there is nothing to have. */
export type UrlOf = (file: StoredFile) => string | null

export function fileRecord(file: StoredFile, urlOf: UrlOf): FileRecord {
  const isDeleted = file.deletedAt !== null
  return {
    file_id: file.fileId,
    environment_name: file.environmentName,
    storage_url: isDeleted ? null : urlOf(file),
    status: file.status,
    service_store_type: file.storeType,
    error_status: file.errorStatus,
    external_error_message: file.errorMessage,
    is_deleted: isDeleted,
    size_mbytes: mbytesOrNull(file.sizeBytes),
    file_count: file.fileCount,
    size_compressed_mbytes: mbytesOrNull(file.compressedBytes),
    is_private: file.isPrivate,
    original_file_url: file.originalFileUrl,
    ...(file.media ?? unknownMedia),
    created_at: timestamp(file.createdAt),
    command_id: file.commandId,
    expires_at: timestampOrNull(file.expiresAt),
  }
}

/** What the storage quota counts: of a folder its archive. */
export function storedBytes(file: StoredFile): number {
  return file.compressedBytes ?? file.sizeBytes ?? 0
}

function mbytesOrNull(bytes: number | null): number | null {
  return bytes === null ? null : mbytes(bytes)
}

const unknownMedia: MediaFacts = {
  duration: null,
  file_type: null,
  file_format: null,
  width: null,
  height: null,
  codec: null,
  timebase: null,
  pixel_format: null,
  mime_type: null,
  frame_rate: null,
  bitrate_video_kb: null,
  bitrate_audio_kb: null,
  video_profile_level: null,
  is_varying_frame_rate: null,
}
