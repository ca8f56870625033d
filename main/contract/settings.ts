/** Settings that a person can change; kept in VOUCH_HOME/settings.json, applied while running. */
import { z } from 'zod';
import { rungs } from './degradation.ts';
import { type Device, deviceSchema, precisionSchema } from './labels.ts';
import { defaultPrescreen } from './photo.ts';
import { themeChoices } from './themes.ts';

export const hostPriorities = ['normal', 'below_normal', 'low'] as const;
export type HostPriority = (typeof hostPriorities)[number];

const engineSettingsSchema = z
  .strictObject({
    /** Id of a model pack. */
    model: z.string().min(1).max(200).default('concept-en'),
    device: z.union([z.literal('auto'), deviceSchema]).default('auto'),
    /** Which of several such devices. */
    deviceIndex: z.int().min(0).max(99).default(0),
    precision: z.union([z.literal('auto'), precisionSchema]).default('auto'),
    /** Whether what `auto` precision means is found out by itself, once nothing was asked of the app for long. */
    tryPrecisions: z.boolean().default(true),
    /** One of the pack's, in pixels; auto: its first, or a smaller one while memory is short. */
    inputSize: z.union([z.literal('auto'), z.int().min(1).max(8192)]).default('auto'),
    batch: z.union([z.literal('auto'), z.int().min(1).max(64)]).default('auto'),
    /** How long the oldest photo of a batch may wait for company, in ms. */
    maxDelayMs: z.int().min(0).max(1000).default(8),
    /** 0: let the engine choose. */
    threads: z.int().min(0).max(256).default(0),
    /** Of the hosts, beside other programs. */
    priority: z.enum(hostPriorities).default('below_normal'),
    /** A host that holds more than this is replaced between two batches, in MB; 0: never. */
    hostMemoryMb: z.int().min(0).max(1_000_000).default(4096),
    /** Whether the machine may not go to sleep while a run is on. */
    keepAwake: z.boolean().default(true),
  })
  .readonly();
export type EngineSettings = z.infer<typeof engineSettingsSchema>;

const ms = (least: number, most: number) => z.int().min(least).max(most);
const percent = z.number().min(1).max(100);

/** When the engine steps down its ladder, and when back up. Times in ms, memory in percent of what there is. */
const ladderSettingsSchema = z
  .strictObject({
    /** A rung held by hand; null: none. */
    pinned: z.literal(rungs).nullable().default(null),
    /** All of an interactive photo, queue wait included. */
    interactiveCpuMs: ms(100, 600_000).default(5000),
    interactiveGpuMs: ms(100, 600_000).default(1200),
    /** Of a bulk batch, or four times what the pack usually takes for it, if that is longer. */
    bulkMs: ms(100, 600_000).default(5000),
    /** A photo in the model; an automatic batch stays below. */
    slaCpuMs: ms(10, 600_000).default(3500),
    slaGpuMs: ms(10, 600_000).default(800),
    /** Photos in a row that miss their limit before judging pauses, and for how long the first time. */
    breakerAfter: z.int().min(1).max(1000).default(5),
    breakerPauseMs: ms(100, 600_000).default(5000),
    /** Between two looks at the memory. */
    memoryEveryMs: ms(100, 600_000).default(10_000),
    memoryFirst: percent.default(60),
    memorySecond: percent.default(80),
    /** A rung is left when memory has been so many points lower for so long. */
    memoryPoints: z.number().min(0).max(50).default(5),
    memoryCalmMs: ms(100, 3_600_000).default(30_000),
    /** How long one running out of memory, or an output that was not finite, is remembered. */
    calmMs: ms(100, 3_600_000).default(60_000),
    /** After falling back to the CPU, until the device is tried again the first time. */
    probeAgainMs: ms(100, 3_600_000).default(60_000),
  })
  .readonly();
export type LadderSettings = z.infer<typeof ladderSettingsSchema>;

/** How long a photo may take in the model on a device, in ms: the SLA. */
export const slaMsOn = (
  device: Device,
  { slaCpuMs, slaGpuMs }: Pick<LadderSettings, 'slaCpuMs' | 'slaGpuMs'>,
): number => (device === 'cpu' ? slaCpuMs : slaGpuMs);

/** How long a photo that a person waits for may take, queue wait included, in ms. */
export const interactiveMsOn = (device: Device, { interactiveCpuMs, interactiveGpuMs }: LadderSettings): number =>
  device === 'cpu' ? interactiveCpuMs : interactiveGpuMs;

const prescreenSettingsSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    blur: z.number().min(0).max(10_000).default(defaultPrescreen.blur),
    flat: z.number().min(0).max(127.5).default(defaultPrescreen.flat),
    small: z.int().min(0).max(4096).default(defaultPrescreen.small),
  })
  .readonly();

const tagSettingsSchema = z
  .strictObject({
    /** Root of Vouch's keywords in sidecars; `|` goes a level down. */
    prefix: z.string().trim().min(1).max(100).default('Vouch'),
    /** The lowest grade at which a YES is tagged. */
    lowestGrade: z.enum(['high', 'medium']).default('high'),
  })
  .readonly();

const viewSettingsSchema = z
  .strictObject({
    inspector: z.boolean().default(true),
    /** Width of a grid cell in CSS pixels. */
    thumbnail: z.int().min(96).max(512).default(192),
    /** Whether grid thumbnails fill their cell or show the whole photo. */
    fit: z.enum(['fill', 'whole']).default('fill'),
  })
  .readonly();

/** Keys that stand in for a command's own, by the command's id; an empty list takes them away. */
const keySettingsSchema = z
  .record(z.string().min(1).max(80), z.array(z.string().min(1).max(40)).max(4).readonly())
  .readonly();
export type KeySettings = z.infer<typeof keySettingsSchema>;

const reviewSettingsSchema = z
  .strictObject({
    /** Who decides, as the audit trail names them; empty: the name of the system's user. */
    reviewer: z.string().trim().max(100).default(''),
  })
  .readonly();

const languages = ['en', 'zh-CN', 'system'] as const;

type Limits = Readonly<{ min: number; max: number }>;
type NumberField = z.ZodDefault<z.ZodNumber>;
type LimitsOf<S extends z.ZodRawShape> = { readonly [K in keyof S as S[K] extends NumberField ? K : never]: Limits };

const limitsOf = <S extends z.ZodRawShape>(shape: S): LimitsOf<S> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([key, field]) => {
      const bare = field instanceof z.ZodDefault ? field.unwrap() : field;
      if (!(bare instanceof z.ZodNumber)) return [];
      return [[key, { min: bare.minValue ?? -Infinity, max: bare.maxValue ?? Infinity }]];
    }),
  ) as LimitsOf<S>;

/** The least and the most that each number among the settings may be, as its schema has it. */
export const limits = {
  engine: limitsOf(engineSettingsSchema.unwrap().shape),
  ladder: limitsOf(ladderSettingsSchema.unwrap().shape),
  prescreen: limitsOf(prescreenSettingsSchema.unwrap().shape),
};

export const settingsSchema = z
  .strictObject({
    theme: z.enum(themeChoices).default('dark'),
    language: z.enum(languages).default('system'),
    /** Whether the system tells of finished work while the window is not in front. */
    notifications: z.boolean().default(true),
    engine: engineSettingsSchema.prefault({}),
    ladder: ladderSettingsSchema.prefault({}),
    prescreen: prescreenSettingsSchema.prefault({}),
    tags: tagSettingsSchema.prefault({}),
    view: viewSettingsSchema.prefault({}),
    keys: keySettingsSchema.default({}),
    review: reviewSettingsSchema.prefault({}),
  })
  .readonly();
export type Settings = z.infer<typeof settingsSchema>;
export const defaultSettings: Settings = settingsSchema.parse({});

/**
 * A change of some settings; what it leaves out stays as it is. Built from the unwrapped fields, since a default
 * inside a partial object would reset what a change does not name.
 */
const some = <S extends z.ZodRawShape>(shape: S) => {
  const bare = Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      (field instanceof z.ZodDefault ? field.unwrap() : field) as z.ZodType,
    ]),
  ) as unknown as { [K in keyof S]: S[K] extends z.ZodDefault<infer Inner> ? Inner : S[K] };
  return z.strictObject(bare).partial();
};
export const engineChangeSchema = some(engineSettingsSchema.unwrap().shape);
export type EngineChange = z.infer<typeof engineChangeSchema>;
export const settingsChangeSchema = z
  .strictObject({
    theme: z.enum(themeChoices),
    language: z.enum(languages),
    notifications: z.boolean(),
    engine: engineChangeSchema,
    ladder: some(ladderSettingsSchema.unwrap().shape),
    prescreen: some(prescreenSettingsSchema.unwrap().shape),
    tags: some(tagSettingsSchema.unwrap().shape),
    view: some(viewSettingsSchema.unwrap().shape),
    /** All of them: what is left out goes back to its own keys. */
    keys: keySettingsSchema,
    review: some(reviewSettingsSchema.unwrap().shape),
  })
  .partial();
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** Settings with a change applied. */
export const changeSettings = (settings: Settings, change: SettingsChange): Settings =>
  settingsSchema.parse({
    ...settings,
    ...change,
    engine: { ...settings.engine, ...change.engine },
    ladder: { ...settings.ladder, ...change.ladder },
    prescreen: { ...settings.prescreen, ...change.prescreen },
    tags: { ...settings.tags, ...change.tags },
    view: { ...settings.view, ...change.view },
    review: { ...settings.review, ...change.review },
  });
