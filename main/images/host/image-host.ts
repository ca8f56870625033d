/** Process entry: reads, identifies and decodes photos, and hands their pixels to the inference host. */
import { asksNothing } from '../../contract/operation.ts';
import { faultsFor, strike } from '../../hosts/faults.ts';
import { openHostPort } from '../../hosts/host-port.ts';
import type {
  Delivery,
  Identified,
  ImageHostReply,
  ImageHostRequest,
  ImageLimits,
  PixelTarget,
  Prepared,
  Written,
} from '../protocol.ts';
import { failureOf, PhotoError } from './failure.ts';
import { free } from './free.ts';
import { bytesOf, heldPhotos } from './held.ts';
import { identityOf } from './identify.ts';
import { openPixelLinks } from './pixel-link.ts';
import { preparePhoto } from './prepare.ts';
import { writePreview } from './preview.ts';
import { readPhotoFile } from './read-file.ts';
import { loadSharp } from './sharp.ts';
import { createTileCutter } from './tiles.ts';

const maxHeldBytes = 256 * 1024 * 1024;

const port = openHostPort<ImageHostRequest, ImageHostReply>();
const { sharp, decoder } = loadSharp();
const held = heldPhotos(maxHeldBytes);
const cutTile = createTileCutter(sharp);
const faultAt = faultsFor('image');
const links = openPixelLinks();
let configured: ImageLimits | undefined;

const limits = (): ImageLimits => {
  if (!configured) throw new PhotoError({ code: 'unreadable', params: { error: 'the image host was not configured' } });
  return configured;
};

const identify = async (job: number, path: string): Promise<Identified> => {
  const start = performance.now();
  const file = readPhotoFile(path, limits().maxBytes);
  const readMs = performance.now() - start;
  const identity = await identityOf(file);
  held.keep(job, { path, identity, readMs }, file.bytes);
  return { ok: true, identity };
};

const prepare = async (job: number, target: PixelTarget, delivery: Delivery): Promise<Prepared> => {
  const photo = held.take(job);
  if (!photo)
    throw new PhotoError({ code: 'unreadable', params: { error: `job ${job} was not identified here` } }, true);
  strike(faultAt(photo.path));
  const bytes = await bytesOf(photo, limits().maxBytes);
  const wanted = { views: target.views, prescreen: target.prescreen, limits: limits() };
  const { info, views } = await preparePhoto(sharp, bytes, photo.identity.format, photo.readMs, wanted);
  const toSend = asksNothing(delivery.operation) ? null : views;
  if (toSend) await links.send(target.address, { job, delivery }, toSend);
  free(bytes, ...(views ?? []));
  return { ok: true, info, sent: toSend !== null };
};

const preview = async (path: string, size: 256 | 2048, out: string): Promise<Written> => {
  const written = await writePreview(sharp, path, size, out, limits());
  return { ok: true, ...written };
};

port.onRequest(async (request) => {
  switch (request.kind) {
    case 'configure':
      configured = request.limits;
      return;
    case 'release':
      held.take(request.job);
      return;
    case 'identify': {
      const result = await identify(request.job, request.path).catch(failureOf);
      return port.reply({ kind: 'identified', job: request.job, result });
    }
    case 'prepare': {
      const result = await prepare(request.job, request.target, request.delivery).catch(failureOf);
      return port.reply({ kind: 'prepared', job: request.job, result });
    }
    case 'preview': {
      const result = await preview(request.path, request.size, request.out).catch(failureOf);
      return port.reply({ kind: 'preview', job: request.job, result });
    }
    case 'tile': {
      const { path, tile, out } = request;
      const result = await cutTile(path, tile, out, limits()).catch(failureOf);
      return port.reply({ kind: 'tile', job: request.job, result });
    }
  }
});

port.reply({ kind: 'ready', pid: process.pid, decoder });
