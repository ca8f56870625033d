// The layers of the design: imports point one way, and what runs elsewhere is reached by messages only.
'use strict';

const { core: floors } = require('./floors.cjs');

const ours = '^(electron|main|models|renderer|test|build)/';
const anyOf = (names) => `^main/(${names.join('|')})(/|\\.ts$)`;

const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: ours, pathNot: allowed },
});

const floorRules = floors.flatMap((names, floor) =>
  names.map((name) => ({
    name: `floor-of-${name}`,
    severity: 'error',
    from: { path: anyOf([name]) },
    to: { path: '^main/', pathNot: anyOf([name, ...floors.slice(0, floor).flat()]) },
  })),
);

/**
 * The window, from the ground up. Upon these stands each screen in a folder of its own, which no other screen imports;
 * upon the screens their table, and upon that the frame around them.
 */
const windowFloors = ['i18n', 'ui', 'ui-state', 'data', 'commands', 'photo'];
const inWindow = (names) => `^renderer/(${names.join('|')})(/|\\.tsx?$)`;
const windowRules = [
  ...windowFloors.map((name, floor) => ({
    name: `window-floor-of-${name}`,
    severity: 'error',
    from: { path: inWindow([name]) },
    to: { path: '^renderer/', pathNot: inWindow(windowFloors.slice(0, floor + 1)) },
  })),
  {
    name: 'screens-stand-alone',
    severity: 'error',
    from: { path: '^renderer/([^/]+)/', pathNot: inWindow([...windowFloors, 'frame']) },
    to: { path: '^renderer/', pathNot: [inWindow(windowFloors), '^renderer/$1/'] },
  },
  {
    name: 'screens-below-the-frame',
    severity: 'error',
    from: { path: '^renderer/screens\\.tsx$' },
    to: { path: '^renderer/(frame/|app\\.tsx|main\\.tsx)' },
  },
];

/** Type imports cost nothing at run time: messages are typed where they are handled. */
const byValue = { dependencyTypesNot: ['type-only'] };
const runtime = (name, folder, alsoFrom = []) => ({
  name: `only-in-its-process-${name}`,
  severity: 'error',
  from: { path: ours, pathNot: [folder, ...alsoFrom, '^(test|build)/'] },
  to: { path: folder, ...byValue },
});
const library = (name, folder) => ({
  name: `only-there-${name}`,
  severity: 'error',
  from: { path: '^(electron|main|models/adapters|renderer)/', pathNot: folder },
  to: { path: `node_modules/${name}/` },
});

module.exports = {
  forbidden: [
    only(
      'renderer-imports-contract-words-and-failure',
      '^renderer/',
      '^(renderer/|main/(contract|words)/|main/failure\\.ts$)',
    ),
    only('electron-imports-main-and-contract', '^electron/', '^(electron/|main/)'),
    only('main-imports-models-not-shells', '^main/', '^(main/|models/adapters/)'),
    only('models-import-contract-only', '^models/', '^(models/|main/contract/)'),
    ...floorRules,
    ...windowRules,
    runtime('images-host', '^main/images/host/'),
    runtime('inference-host', '^main/inference/host/'),
    // The entry of the re-score worker gives it the text graphs' sessions, which its own floor cannot reach.
    runtime('inference-session', '^main/inference/session/', ['^main/judging/worker/']),
    runtime('rescore-worker', '^main/verdicts/worker/', ['^main/judging/worker/']),
    runtime('rescore-entry', '^main/judging/worker/'),
    runtime('export-worker', '^main/export/worker/'),
    runtime('store-worker', '^main/store/sql/', ['^main/verdicts/worker/', '^main/export/worker/']),
    library('better-sqlite3', '^main/store/sql/'),
    library('sharp', '^main/images/host/'),
    library('@img', '^main/images/host/'),
    library('onnxruntime-(node|common|web)', '^main/inference/session/'),
    {
      name: 'core-without-electron',
      severity: 'error',
      from: { path: '^(main|models)/' },
      to: { path: 'node_modules/electron/' },
    },
    {
      name: 'renderer-without-node',
      severity: 'error',
      from: { path: '^(renderer|main/(contract|words))/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^electron' } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
