/** What windows are shown of photos and statements: what is known of them, and nothing else. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppService } from '../../../main/app/app-service.ts';
import { resultHandlers } from '../../../main/app/handlers/results.ts';
import { statementHandlers } from '../../../main/app/handlers/statements.ts';
import type { CallContext } from '../../../main/contract/api.ts';
import { newHome, openService } from './service.ts';

const { home, remove } = newHome();
let service: AppService;
const context: CallContext = { signal: new AbortController().signal };

beforeAll(async () => {
  service = await openService(home);
  // At a first start, the samples are judged.
  while (service.runs.active()) await new Promise((resolve) => setTimeout(resolve, 50));
}, 180_000);
afterAll(async () => {
  await service.close();
  remove();
});

it('a photo has the prescreen that is kept of it, without a time that is not', async () => {
  const { page, photo } = resultHandlers(service);
  const { items } = await page(
    { filter: {}, sort: { by: 'path', direction: 'ascending' }, grouped: false, cursor: null, limit: 1 },
    context,
  );
  const { prescreen, pairs } = await photo({ photoId: items[0]!.photoId }, context);
  expect(Object.keys(prescreen!).toSorted()).toEqual(['blurred', 'deviation', 'flat', 'sharpness', 'small']);
  expect(prescreen!.sharpness).toBeGreaterThan(0);
  expect(pairs.some(({ explanation }) => explanation !== null)).toBe(true);
});

it('a stored statement of which today’s rules leave nothing is shown without what would be sent', async () => {
  const { store, settings } = service;
  await store.statements.upsertSet(
    { name: 'old', statements: [{ text: 'probably' }, { text: 'perhaps a dog' }] },
    settings.now().engine.model,
  );
  const shell = { pickSetFiles: async () => [], pickPlaceFor: async () => null };
  const sets = await statementHandlers(service, shell).sets({ archived: false }, context);
  const old = sets.find(({ name }) => name === 'old');
  expect(old?.statements).toMatchObject([
    { text: 'probably', normalised: null },
    { text: 'perhaps a dog', normalised: { removed: ['perhaps'] } },
  ]);
});
