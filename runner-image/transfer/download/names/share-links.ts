/**
 * The address of the file of a share page. A share link opens a page for people; fetched unchanged,
 * that page would be stored as if it were the video.
 */
export function directLink(url: URL): URL {
  switch (url.hostname.toLowerCase()) {
    case 'drive.google.com':
      return googleDrive(url)
    case 'www.dropbox.com':
    case 'dropbox.com':
      return dropbox(url)
    default:
      return url
  }
}

/** `confirm=t` skips the confirmation page for files too large for Google's virus scan. */
function googleDrive(url: URL): URL {
  const id =
    /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(url.pathname)?.[1] ??
    (/^\/(?:u\/\d+\/)?(?:open|uc)$/.test(url.pathname) ? url.searchParams.get('id') : null)
  if (id === null) return url
  const direct = new URL('https://drive.usercontent.google.com/download')
  direct.searchParams.set('id', id)
  direct.searchParams.set('export', 'download')
  direct.searchParams.set('confirm', 't')
  const resourceKey = url.searchParams.get('resourcekey')
  if (resourceKey !== null) direct.searchParams.set('resourcekey', resourceKey)
  return direct
}

/** `rlkey` and `st` authorise the recipients of the link; a folder arrives as a zip. */
function dropbox(url: URL): URL {
  if (!/^\/(s|scl\/fi|scl\/fo)\//.test(url.pathname)) return url
  const direct = new URL(url)
  direct.searchParams.delete('raw')
  direct.searchParams.set('dl', '1')
  return direct
}

/** Which link to send in place of the page of a service that people share files with; null for any other page. */
export function shareAdvice({ hostname, pathname }: URL): string | null {
  const host = hostname.toLowerCase()
  return pages.find(({ at, path }) => at.test(host) && path.test(pathname))?.advice ?? null
}

const anyPath = /^/

const pages: readonly { readonly at: RegExp; readonly path: RegExp; readonly advice: string }[] = [
  {
    at: /(?:^|\.)google\.com$/,
    path: /\/folders\//,
    advice: 'a folder of Google Drive cannot be fetched; share its files and send the link of each',
  },
  {
    at: /(?:^|\.)(?:google|googleusercontent)\.com$/,
    path: anyPath,
    advice: "share the file in Google Drive with 'Anyone with the link', and send that link",
  },
  {
    at: /(?:^|\.)dropbox\.com$/,
    path: anyPath,
    advice: "send the link of Dropbox's 'Copy link', which ends in dl=0 or dl=1",
  },
  {
    at: /(?:^|\.)(?:1drv\.ms|onedrive\.live\.com|sharepoint\.com)$/,
    path: anyPath,
    advice:
      "send the address of OneDrive's 'Download' button, or the share link with download=1 at its end",
  },
  {
    at: /(?:^|\.)box\.com$/,
    path: anyPath,
    advice: "send the 'Direct Link' from the settings of the shared link in Box",
  },
  {
    at: /(?:^|\.)icloud\.com$/,
    path: anyPath,
    advice:
      'iCloud links open a page only; download the file and upload it by POST /v1/files/init-upload',
  },
  {
    at: /(?:^|\.)(?:wetransfer\.com|we\.tl)$/,
    path: anyPath,
    advice: 'WeTransfer links open a page only; send the address that its download button leads to',
  },
  {
    at: /(?:^|\.)github\.com$/,
    path: /^\/[^/]+\/[^/]+\/blob\//,
    advice: "send the address of GitHub's 'Raw' button, with /raw/ in place of /blob/",
  },
  {
    at: /(?:^|\.)console\.aws\.amazon\.com$/,
    path: anyPath,
    advice: "that is the console; send the URL of 'aws s3 presign' for the object",
  },
]
