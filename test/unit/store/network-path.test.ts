import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  findNetworkType,
  isUncPath,
  networkTypeOf,
  parseLinuxMounts,
  parseMacMounts,
} from '../../../main/store/sql/network-path.ts';

const linux = parseLinuxMounts(`/dev/sda1 / ext4 rw 0 0
server:/export /home nfs4 rw 0 0
/dev/sdb1 /home/ann/local xfs rw 0 0
//nas/photos /mnt/my\\040photos cifs rw 0 0
user@host: /mnt/ssh fuse.sshfs rw 0 0
portal /run/user/1/doc fuse.portal rw 0 0`);

describe('a path on a network file system', () => {
  it.each([
    ['/var/lib/vouch', null],
    ['/home/ann/vouch', 'nfs4'],
    ['/home/ann/local/vouch', null],
    ['/homestead', null],
    ['/mnt/my photos/vouch', 'cifs'],
    ['/mnt/ssh', 'fuse.sshfs'],
    ['/run/user/1/doc/x', null],
  ])('%s: %s', (path, type) => {
    expect(networkTypeOf(path, linux)).toBe(type);
  });

  it('is found in what macOS lists', () => {
    const mounts = parseMacMounts(`/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//ann@nas._smb._tcp.local/Photos on /Volumes/My Photos (smbfs, nodev, nosuid, mounted by ann)`);
    expect(networkTypeOf('/Volumes/My Photos/vouch', mounts)).toBe('smbfs');
    expect(networkTypeOf('/Users/ann', mounts)).toBeNull();
  });

  it.each([
    ['\\\\nas\\photos\\vouch', true],
    ['//nas/photos', true],
    ['\\\\?\\UNC\\nas\\photos', true],
    ['\\\\?\\C:\\vouch', false],
    ['\\\\.\\pipe\\x', false],
    ['C:\\vouch', false],
    ['/home/ann', false],
  ])('in Windows terms %s: %s', (path, expected) => {
    expect(isUncPath(path)).toBe(expected);
  });

  it('is not where this machine keeps temporary files, even in folders still to be made', () => {
    expect(findNetworkType(`${tmpdir()}/not/yet/there`)).toBeNull();
  });
});
