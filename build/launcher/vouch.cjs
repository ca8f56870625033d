#!/usr/bin/env node
// Plain JavaScript for any Node: hands over to the pinned Node, since natives crash under one older than 22.
'use strict';
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const entry = join(root, 'dist', 'main', 'cli.js');
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const fits = Number(process.versions.node.split('.')[0]) >= 22;

const giveUp = (message) => {
  process.stderr.write(`vouch: ${message}\n`);
  process.exit(1);
};

if (!existsSync(entry)) giveUp('this copy is not built; run "npm ci" (or "npm run build") in its folder first.');
if (!fits && !existsSync(pinned)) {
  giveUp(`Node 22 or newer is needed and this is ${process.versions.node}; run "npm ci", which brings one along.`);
}

if (fits) {
  import(require('node:url').pathToFileURL(entry).href);
} else {
  const child = spawn(pinned, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl+C to both; the child decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
}
