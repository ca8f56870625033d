import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fromTarball, fromWheel } from '../../../../models/tools/convert/archive.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function tarball(files: Readonly<Record<string, string>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, body]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(body.length.toString(8).padStart(11, '0'), 124);
    const data = Buffer.alloc(Math.ceil(body.length / 512) * 512);
    data.write(body);
    return [header, data];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function wheel(files: readonly Readonly<{ name: string; body: string; deflate: boolean }>[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body, deflate } of files) {
    const data = deflate ? deflateRawSync(body) : Buffer.from(body);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(2, 28);
    locals.push(local, Buffer.from(name), Buffer.from('xx'), data);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(deflate ? 8 : 0, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + 2 + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

describe('archives', () => {
  it('takes one file out of a tarball, whatever its length', () => {
    const archive = tarball({ 'package/a': 'x'.repeat(513), 'package/b': 'second' });
    expect(fromTarball(archive, 'package/b')).toEqual(text('second'));
    expect(fromTarball(archive, 'package/a')).toHaveLength(513);
    expect(() => fromTarball(archive, 'package/c')).toThrow('package/c');
  });

  it('takes stored and deflated files out of a wheel', () => {
    const archive = wheel([
      { name: 'm/plain', body: 'plain', deflate: false },
      { name: 'm/packed', body: 'packed '.repeat(50), deflate: true },
    ]);
    expect(fromWheel(archive, 'm/plain')).toEqual(text('plain'));
    expect(fromWheel(archive, 'm/packed')).toEqual(text('packed '.repeat(50)));
    expect(() => fromWheel(archive, 'm/none')).toThrow('m/none');
    expect(() => fromWheel(text('no zip file at all, only words'), 'm/plain')).toThrow('not a zip file');
  });
});
