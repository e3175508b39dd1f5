import { mbytes, timestamp, timestampOrNull } from '../http/format.ts'
import type { StoredFile } from '../../common/store/files.ts'
import type { FileListItem, FileRecord } from '../../common/openapi/openapi-types.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'

/** Download URL of a file; null while it has no object. */
export type UrlOf = (file: StoredFile) => string | null

export function fileRecord(file: StoredFile, urlOf: UrlOf): FileRecord {
  const isDeleted = file.deletedAt !== null
  return {
    file_id: file.fileId,
    environment_name: file.environmentName,
    storage_url: !isDeleted && isStored(file) ? urlOf(file) : null,
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

/** Without the facts of the probe except kind and format. */
export function fileListItem(file: StoredFile, urlOf: UrlOf): FileListItem {
  const {
    duration: _duration,
    width: _width,
    height: _height,
    codec: _codec,
    timebase: _timebase,
    pixel_format: _pixelFormat,
    mime_type: _mimeType,
    frame_rate: _frameRate,
    bitrate_video_kb: _videoRate,
    bitrate_audio_kb: _audioRate,
    video_profile_level: _profile,
    is_varying_frame_rate: _isVarying,
    ...item
  } = fileRecord(file, urlOf)
  return item
}

/** An upload can be used before it is analysed. */
function isStored({ status }: StoredFile): boolean {
  return status === 'UPLOADED' || status === 'STORED'
}

function mbytesOrNull(bytes: number | null): number | null {
  return bytes === null ? null : mbytes(bytes)
}
