// The floors of the core and of the window, from the ground up: each folder may import from those below it alone.
'use strict';

/** Folders (and the files beside them) of main/. */
const core = [
  ['contract', 'files'],
  ['policy', 'hosts', 'statements', 'settings'],
  ['store', 'images'],
  ['failure'],
  ['home'],
  ['telemetry', 'packs'],
  ['inference', 'verdicts'],
  ['judging'],
  ['library', 'measure'],
  ['words'],
  ['export'],
  ['review'],
  ['app'],
  ['server'],
  ['cli'],
];

module.exports = { core };
