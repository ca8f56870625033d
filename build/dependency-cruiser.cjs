// The layers of the design: imports point one way.
'use strict';
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(electron|main|models|renderer|test|build)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    only('renderer-imports-contract-only', '^renderer/', '^(renderer/|main/contract/)'),
    only('electron-imports-main-and-contract', '^electron/', '^(electron/|main/)'),
    only('main-imports-models-not-shells', '^main/', '^(main/|models/adapters/)'),
    only('models-import-contract-only', '^models/', '^(models/|main/contract/)'),
    only('contract-stands-alone', '^main/contract/', '^main/contract/'),
    {
      name: 'core-without-electron',
      severity: 'error',
      from: { path: '^(main|models)/' },
      to: { path: 'node_modules/electron/' },
    },
    {
      name: 'renderer-without-node',
      severity: 'error',
      from: { path: '^(renderer|main/contract)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
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
