/** Numbers, sizes and times in a person's language, by Intl alone. */

export type Format = Readonly<{
  integer: (value: number) => string;
  /** One digit after the point below 100, none above. */
  rate: (value: number) => string;
  /** A probability or score: two digits after the point; never rounded to certainty. */
  score: (value: number) => string;
  percent: (share: number) => string;
  bytes: (bytes: number) => string;
  ms: (ms: number) => string;
  /** A span in its largest fitting unit, rounded up: "45 sec", "7 min", "2 hr". */
  span: (ms: number) => string;
  relative: (at: number, now: number) => string;
  exact: (at: number) => string;
  day: (at: number) => string;
  /** A time as EXIF writes it, with no zone of its own; anything else comes back as it is. */
  taken: (written: string) => string;
  list: (items: readonly string[]) => string;
  either: (items: readonly string[]) => string;
  language: (code: string) => string;
}>;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['week', 7 * day],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
];

const sizes: readonly (readonly [string, number])[] = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
];

const exif = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d)/;

const make = (locale: string): Format => {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value: number) => format.format(value);
  };
  const unit = (name: string, digits = 0) =>
    number({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
  const spans = { second: unit('second'), minute: unit('minute'), hour: unit('hour'), day: unit('day') };
  const whole = number({ maximumFractionDigits: 0 });
  const tenth = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const hundredth = number({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const wall = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const and = new Intl.ListFormat(locale, { type: 'conjunction' });
  const or = new Intl.ListFormat(locale, { type: 'disjunction' });
  const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' });

  return {
    integer: whole,
    rate: (value) => (value >= 99.95 ? whole(value) : tenth(value)),
    score: (value) => {
      if (value > 0 && value < 0.005) return `<${hundredth(0.01)}`;
      return value < 1 && value >= 0.995 ? `>${hundredth(0.99)}` : hundredth(value);
    },
    percent: number({ style: 'percent', maximumFractionDigits: 0 }),
    bytes: (bytes) => {
      const [name, size] = sizes.find(([, least]) => bytes >= least) ?? ['byte', 1];
      return unit(name, size > 1 && bytes / size < 100 ? 1 : 0)(bytes / size);
    },
    ms: unit('millisecond'),
    span: (ms) => {
      if (ms < 59.5 * second) return spans.second(Math.max(1, Math.ceil(ms / second)));
      if (ms < 59.5 * minute) return spans.minute(Math.ceil(ms / minute));
      if (ms < 36 * hour) return spans.hour(Math.round(ms / hour));
      return spans.day(Math.round(ms / day));
    },
    relative: (at, now) => {
      const past = now - at;
      const step = steps.find(([, size]) => Math.abs(past) >= size);
      return step ? relative.format(-Math.round(past / step[1]), step[0]) : relative.format(0, 'second');
    },
    exact: (at) => date.format(at),
    day: (at) => calendar.format(at),
    taken: (written) => {
      const [, year, month, day, hours, minutes] = exif.exec(written)?.map(Number) ?? [];
      return minutes === undefined ? written : wall.format(Date.UTC(year!, month! - 1, day, hours, minutes));
    },
    list: (items) => and.format(items),
    either: (items) => or.format(items),
    language: (code) => {
      try {
        return names.of(code) ?? code;
      } catch {
        return code;
      }
    },
  };
};

const made = new Map<string, Format>();

/** One set of formatters a locale; making them is slow. */
export const formatFor = (locale: string): Format => {
  const known = made.get(locale);
  if (known) return known;
  const format = make(locale);
  made.set(locale, format);
  return format;
};
