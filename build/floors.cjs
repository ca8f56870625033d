// The floors of the core and of the window, from the ground up: each folder may import from those below it alone.
'use strict';

/** Folders (and the files beside them) of main/. */
const core = [
  ['contract', 'files'],
  ['failure', 'words'],
  ['policy', 'hosts', 'statements', 'settings'],
  ['store', 'images'],
  ['home'],
  ['telemetry', 'packs'],
  ['inference', 'verdicts'],
  ['judging'],
  ['library', 'measure'],
  ['documents'],
  ['export'],
  ['review'],
  ['app'],
  ['server'],
  ['cli'],
];

module.exports = { core };
