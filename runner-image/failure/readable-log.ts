/**
 * FFmpeg's log in the words of the request: paths of the runner become the aliases that the user
 * wrote, memory addresses and host addresses go.
 */
export function readableLog(log: string): string {
  return log
    .replaceAll(inputFile, '{{$1}}')
    .replaceAll('/job/work/', '')
    .replaceAll(memoryAddress, '')
    .replaceAll(networkAddress, '<address>')
}

const inputFile = /(?:\/job\/work\/)?(?:\.\.|\/job)\/in\/(\w+)(?:\.[a-z0-9]{1,8}\b)?/g
const memoryAddress = / @ 0x[0-9a-f]+/g
const networkAddress = /\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g
