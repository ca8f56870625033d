import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Api, api, type InputOf, type OutputOf, type VouchApi } from '../../../main/contract/api.ts';
import { type Area, type Channel, channels, type MethodName, type Topic } from '../../../main/contract/channels.ts';
import { parsePreviewUrl, previewUrl } from '../../../main/contract/preview.ts';
import { changeSettings, defaultSettings, settingsChangeSchema } from '../../../main/contract/settings.ts';
import type { Page, ResultItem } from '../../../main/contract/views.ts';

describe('the API map', () => {
  it('has exactly the listed channels', () => {
    const inMap = Object.entries(api).flatMap(([area, methods]) =>
      Object.keys(methods).map((name) => `${area}.${name}`),
    );
    const listed = Object.entries(channels).flatMap(([area, names]) => names.map((name) => `${area}.${name}`));
    expect(inMap.sort()).toEqual(listed.sort());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('is typed by the list, the map and the window alike', () => {
    type MapChannel = { [A in Area]: `${A}.${keyof Api[A] & string}` }[Area];
    expectTypeOf<MapChannel>().toEqualTypeOf<Channel>();
    expectTypeOf<keyof VouchApi>().toEqualTypeOf<Area | 'on' | 'cancel' | 'pathOf'>();
    expectTypeOf<keyof VouchApi['library']>().toEqualTypeOf<MethodName<'library'>>();
    expectTypeOf<OutputOf<'results', 'page'>>().toEqualTypeOf<Page<ResultItem>>();
    expectTypeOf<InputOf<'library', 'pause'>>().toEqualTypeOf<{ runId: string }>();
    expectTypeOf<'progress'>().toExtend<Topic>();
  });

  it('refuses what the schemas do not name', () => {
    const photoId = '0192f3a0-0000-7000-8000-000000000000';
    expect(api.results.photo.input.safeParse({ photoId }).success).toBe(true);
    expect(api.results.photo.input.safeParse({ photoId, more: 1 }).success).toBe(false);
    expect(api.results.photo.input.safeParse({ photoId: '../../etc/passwd' }).success).toBe(false);
    expect(api.results.page.input.safeParse({ limit: 10_000 }).success).toBe(false);
    expect(api.results.page.input.parse({})).toMatchObject({ filter: {}, cursor: null, limit: 100 });
    expect(api.app.info.input.safeParse('x').success).toBe(false);
  });
});

describe('settings', () => {
  it('change only what a change names', () => {
    const first = changeSettings(
      defaultSettings,
      settingsChangeSchema.parse({ engine: { device: 'cpu', threads: 2 } }),
    );
    const second = changeSettings(first, settingsChangeSchema.parse({ theme: 'light', engine: { batch: 4 } }));
    expect(second).toEqual({
      ...defaultSettings,
      theme: 'light',
      engine: { ...defaultSettings.engine, device: 'cpu', threads: 2, batch: 4 },
    });
  });

  it('refuse values out of range', () => {
    expect(settingsChangeSchema.safeParse({ engine: { batch: 0 } }).success).toBe(false);
    expect(settingsChangeSchema.safeParse({ theme: 'neon' }).success).toBe(false);
    expect(settingsChangeSchema.safeParse({ colour: 'red' }).success).toBe(false);
  });
});

describe('preview addresses', () => {
  const photoId = '0192f3a0-1234-7000-8000-0123456789ab';
  it('are read back', () => {
    expect(parsePreviewUrl(previewUrl(photoId, 2048))).toEqual({ photoId, size: 2048 });
  });
  it.each([
    'photo://preview/../../etc/passwd/256',
    `photo://preview/${photoId}/512`,
    `photo://preview/${photoId}/256?x`,
    `photo://preview/${photoId}/256/../2048`,
    `photo://other/${photoId}/256`,
    `photo://preview/${photoId.toUpperCase()}/256`,
    `file:///preview/${photoId}/256`,
    `photo://preview/${photoId}%2f..%2f/256`,
  ])('refuse %s', (url) => {
    expect(parsePreviewUrl(url)).toBeNull();
  });
});
