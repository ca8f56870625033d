/** The names of all channels, by area: all that the preload needs of the API map. `api.ts` says what each takes and gives. */
export const channels = {
  app: ['info'],
  start: ['state', 'open'],
  settings: ['get', 'set'],
  library: [
    'folders',
    'pick',
    'add',
    'configure',
    'removal',
    'remove',
    'scan',
    'pause',
    'resume',
    'cancel',
    'quarantine',
    'retry',
    'exportQuarantine',
    'tagProblems',
    'retryTags',
    'reveal',
  ],
  statements: ['sets', 'save', 'archive', 'preview', 'import', 'export'],
  results: ['page', 'cameras', 'counts', 'photo'],
  review: [
    'queues',
    'page',
    'decide',
    'undo',
    'history',
    'exportLog',
    'flag',
    'flags',
    'drawAudit',
    'resetSkips',
    'judgeOne',
    'keep',
  ],
  quality: ['summary', 'risk', 'setRisk'],
  search: ['byText'],
  export: ['plan', 'run'],
  engine: ['state', 'configure', 'bench', 'measure'],
  runs: ['current'],
} as const;

export const topics = [
  'progress',
  'engine',
  'bench',
  'library',
  'statements',
  'results',
  'review',
  'search',
  'deciding',
  'export',
  'settings',
  'command',
] as const;
export type Topic = (typeof topics)[number];

export type Area = keyof typeof channels;
export type MethodName<A extends Area> = (typeof channels)[A][number];
export type Channel = { [A in Area]: `${A}.${MethodName<A>}` }[Area];

/** What carries the topics to a window, and what carries a window's request to cancel a call. */
export const eventChannel = 'vouch:event';
export const cancelChannel = 'vouch:cancel';
