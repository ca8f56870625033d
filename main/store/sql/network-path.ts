/** SQLite's locks and its write-ahead log do not work on network file systems, so a home there is refused. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export type Mount = Readonly<{ point: string; type: string }>;

const networkTypes =
  /^(nfs\d?|cifs|smb\d?|smbfs|ncpfs|afs|afpfs|9p|ceph|gfs2?|ocfs2|lustre|beegfs|pvfs2|davfs2?|webdav|acfs|orangefs|vboxsf|fuse\.(sshfs|glusterfs|ceph|s3fs|rclone|davfs2?|goofys|gcsfuse|smbnetfs|curlftpfs|beegfs|juicefs|cifs|gvfsd-fuse))$/;

const unescapeOctal = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** The lines of /proc/mounts: device, mount point, type, options. */
export const parseLinuxMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [, point, type] = line.split(' ');
    return point && type ? [{ point: unescapeOctal(point), type }] : [];
  });

/** What `mount` prints on macOS: `//user@host/share on /Volumes/share (smbfs, nodev, ...)`. */
export const parseMacMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const match = / on (\/.*) \(([^,)]+)/.exec(line);
    return match?.[1] && match[2] ? [{ point: match[1], type: match[2] }] : [];
  });

/** The type of the network file system that a path lies on, or null. Later mounts hide earlier ones. */
export const networkTypeOf = (path: string, mounts: readonly Mount[]): string | null => {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const holds = path === mount.point || path.startsWith(mount.point === '/' ? '/' : `${mount.point}/`);
    if (holds && (!best || mount.point.length >= best.point.length)) best = mount;
  }
  return best && networkTypes.test(best.type) ? best.type : null;
};

/** `\\server\share\...`, also in its long form; a local device path (`\\?\C:\`) is not one. */
export const isUncPath = (path: string): boolean => /^(\\\\|\/\/)(\?\\UNC\\|[^\\/?.])/i.test(path);

const nearestExisting = (path: string): string => {
  const full = resolve(path);
  return existsSync(full) || dirname(full) === full ? full : nearestExisting(dirname(full));
};

/** null for a local path; needs no more of the path than a parent that exists. */
export const findNetworkType = (path: string): string | null => {
  if (process.platform === 'win32') {
    // A mapped drive resolves to the share behind it.
    return isUncPath(path) || isUncPath(realpathSync.native(nearestExisting(path))) ? 'smb' : null;
  }
  const real = realpathSync(nearestExisting(path));
  try {
    return process.platform === 'darwin'
      ? networkTypeOf(real, parseMacMounts(execFileSync('/sbin/mount', { encoding: 'utf8', timeout: 2000 })))
      : networkTypeOf(real, parseLinuxMounts(readFileSync('/proc/self/mounts', 'utf8')));
  } catch {
    return null;
  }
};
