import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import document from '../../common/openapi/openapi.json' with { type: 'json' }

const { FileRecord, FileListItem, CommandListItem } = document.components.schemas

export const fileKeys = Object.keys(FileRecord.properties)
export const listedFileKeys = Object.keys(FileListItem.properties)
export const commandKeys = Object.keys(aCommandRecord())
export const listedCommandKeys = CommandListItem.required
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
